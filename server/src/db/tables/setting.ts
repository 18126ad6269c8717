// Generated from the migrated schema by `npm run tables`; its comments are those of the database.

export type SettingTables = {
  /** What the operator has set; the others have their defaults. */
  setting: {
    /** Name of the setting, as in the operations manual. */
    key: string
    /** What was set, as JSON. */
    value: unknown
    /** When it was set, by the clock of the database. */
    updated_at: Date
  }
}
