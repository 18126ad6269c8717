import { texts as command } from '../../command/texts.zh.ts'
import { texts as navigation } from '../../navigation/texts.zh.ts'
import { texts as home } from '../../screens/home/texts.zh.ts'
import { texts as session } from '../../session/texts.zh.ts'
import { texts as ui } from '../../ui/texts.zh.ts'
import { texts as shell } from '../texts.zh.ts'

export const texts = { ...command, ...home, ...navigation, ...session, ...shell, ...ui }
