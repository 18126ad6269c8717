// Generated from the migrated schema by `npm run tables`; its comments are those of the database.

export type SettingTables = {
  /** What the operator has set; the others have their defaults. */
  setting: {
    key: string
    value: unknown
    updated_at: Date
  }
}
