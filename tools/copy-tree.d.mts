export declare function copyTree(prefix: string): string
