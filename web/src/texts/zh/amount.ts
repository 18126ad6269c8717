import type { texts as tw } from '../tw/amount.ts'

export const texts: Record<keyof typeof tw, string> = {
  'amount.available': '可用余额',
  'amount.max': '全部',
  'amount.didYouMean': '你想输入的是',
  'amount.empty': '请输入金额',
  'amount.notANumber': '金额只能包含数字和一个小数点',
  'amount.negative': '金额不能为负数',
  'amount.separators': '逗号和千位分隔符在不同地区含义不同，为避免金额出错，请只用数字和一个小数点',
  'amount.tooManyDecimals': '小数最多 18 位',
  'amount.notWhole': '请输入整数',
  'amount.tooLarge': '数值过大',
  'amount.zero': '金额必须大于零',
  'amount.notEnough': '超出可用余额',
}
