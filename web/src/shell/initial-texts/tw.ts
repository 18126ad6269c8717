import { texts as navigation } from '../../navigation/texts.tw.ts'
import { texts as home } from '../../screens/home/texts.tw.ts'
import { texts as ui } from '../../ui/texts.tw.ts'
import { texts as shell } from '../texts.tw.ts'

export const texts = { ...home, ...navigation, ...shell, ...ui }
