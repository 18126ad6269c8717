/** The numbers of all advisory locks of the database, so that no two things share one. */
export const advisoryLocks = {
  /** A session holds it while it migrates. */
  migrations: 726_001_733n,
  operators: 726_001_734n,
  settings: 726_001_735n,
  /** With the hash of an asset as a second number. */
  desk: 726_001_736,
  performance: 726_001_737n,
  /** With the hash of a collateral as a second number. */
  ceiling: 726_001_738,
} as const
