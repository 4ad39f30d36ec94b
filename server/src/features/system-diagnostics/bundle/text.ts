/** What stands in a support bundle about itself. */
export const bundleText = `Support bundle of Atrium

system.json         the machine and the process: host name, addresses of its network, disks, containers by name
instance.json       processes, database, jobs by kind, gaps of the search index, models the local runtime holds, limits
history.json        load of the processes in the last hour, as the process that answered saw it
doctor.json         the checks of the doctor, with what was seen
configuration.json  which variables and settings are set and by whom; values only where they can be no secret and no text
                    of people: numbers, yes or no, words of a list, and the addresses and folders of the server itself
versions.json       Atrium, Node.js and its libraries
migrations.json     the steps of the schema that were applied
log.jsonl           the last lines of the log of the process that answered, since it began; where several processes run, the
                    others keep lines of their own: save a bundle of each, or look at their output

There are no keys, passwords or tokens in it, no addresses of accounts, and nothing that people wrote. What looks like a
secret was replaced in the log by [hidden]. Host names, network addresses, folders and ids of accounts are in it: read it
before you hand it on where those must stay inside.
`
