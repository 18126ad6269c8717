import { texts as command } from '../../command/texts.tw.ts'
import { texts as navigation } from '../../navigation/texts.tw.ts'
import { texts as home } from '../../screens/home/texts.tw.ts'
import { texts as session } from '../../session/texts.tw.ts'
import { texts as ui } from '../../ui/texts.tw.ts'
import { texts as shell } from '../texts.tw.ts'

export const texts = { ...command, ...home, ...navigation, ...session, ...shell, ...ui }
