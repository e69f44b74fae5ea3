export declare const BUILT_COMMAND: string
export declare function findStartedCommand(): string
