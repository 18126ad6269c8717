import { texts as command } from '../../command/texts.en.ts'
import { texts as navigation } from '../../navigation/texts.en.ts'
import { texts as home } from '../../screens/home/texts.en.ts'
import { texts as session } from '../../session/texts.en.ts'
import { texts as ui } from '../../ui/texts.en.ts'
import { texts as shell } from '../texts.en.ts'

export const texts = { ...command, ...home, ...navigation, ...session, ...shell, ...ui }
