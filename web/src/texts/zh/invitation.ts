import type { texts as tw } from '../tw/invitation.ts'

export const texts: Record<keyof typeof tw, string> = {
  'friends.lead': '新朋友首次登录要填邀请码。',
  'friends.waits': '首次充值后启用你的邀请码',
  'friends.waitsText':
    '链上累计充值 {usdt} USDT、{hash} HASH 或 {ju} JU（可合并计算）后，你的邀请码就会出现在这里，避免有人批量注册空账户。',
  'friends.closed': '你的邀请码已停用',
  'friends.closedText': '运营人员停用了这个邀请码，不能再用它邀请新朋友；已经加入的好友不受影响。',
  'friends.leaves': '你注册的时候，新账户异常地多。如果到 {date} 还没有充值上面的金额，这个账户会被移除。',
  'friends.code': '你的邀请码',
  'friends.copyCode': '复制邀请码',
  'friends.copyLink': '复制链接',
  'friends.share': '分享链接',
  'friends.shareText': '这是我的 Candela 邀请码 {code}',
  'friends.qr': '邀请链接二维码',
  'friends.reward': '好友的每笔购买确认后，金额的 5% 会记到你的账户，出自平台的销售收入，只有一层。',
  'friends.list': '直接邀请',
  'friends.count': '共 {count} 人',
  'friends.none': '还没有好友加入',
  'friends.noneText': '有人用你的邀请码登录后，会列在这里。',
  'friends.joined': '{date} 加入',
  'friends.power': '有效算力',
  'friends.purchases': '购买金额',
}
