/**
 * After so many milliseconds something that a test waits for hangs. Tests wait for facts, and a busy machine may take many
 * times as long as a quiet one: this only ends what would never end, and no test has another limit of its own.
 */
export const HANGS_AFTER_MS = 300_000
