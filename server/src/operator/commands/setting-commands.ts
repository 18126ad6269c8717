import { getSetting, isDangerous, listSettings, setSetting } from '../../modules/setting/manage-settings.ts'
import type { Bindings } from '../run.ts'

export const settingCommands: Bindings<'setting set' | 'setting get' | 'setting list'> = {
  'setting set': {
    signers: async (tx, { key, value }) => ((await isDangerous(tx, key, value)) ? 2 : 1),
    work: async (tx, { key, value }, { now }) => {
      const before = await getSetting(tx, key)
      await setSetting(tx, key, value, now)
      const after = await getSetting(tx, key)
      return { key, before: before.value, value: after.value }
    },
  },
  'setting get': (tx, { key }) => getSetting(tx, key),
  'setting list': (tx) => listSettings(tx),
}
