import { texts as command } from './initial/command.ts'
import { texts as navigation } from './initial/navigation.ts'
import { texts as home } from './initial/home.ts'
import { texts as session } from './initial/session.ts'
import { texts as ui } from './initial/ui.ts'
import { texts as shell } from './initial/shell.ts'

export const texts = { ...command, ...home, ...navigation, ...session, ...shell, ...ui }

/** Loaders of the other areas' texts. */
export const areas = import.meta.glob<{ texts: Readonly<Record<string, string>> }>(['./*.ts', '!./initial.ts'])
