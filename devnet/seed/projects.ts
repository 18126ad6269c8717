/** The projects for loans of a new development installation, as options of `candela project create`. */
export const projects = [
  {
    nameZh: 'JU 质押借款',
    nameTw: 'JU 質押借款',
    nameEn: 'Loans on JU',
    informationZh: '以 JU 作质押，从资金池借入 USDT。按日计息，随时可以提前还清，不收违约金。',
    informationTw: '以 JU 作質押，從資金池借入 USDT。按日計息，隨時可以提前還清，不收違約金。',
    informationEn:
      'Borrow USDT from the money fund against JU. Interest is charged by the day, and paying early costs nothing.',
    collateral: 'JU',
    total: '500000',
    rate: '0.09',
    initialRate: '0.5',
    safetyLine: '0.7',
    clearingLine: '0.8',
  },
  {
    nameZh: 'HASH 质押借款',
    nameTw: 'HASH 質押借款',
    nameEn: 'Loans on HASH',
    informationZh: '以产出币 HASH 作质押，不必卖出就能取得 USDT。价格波动较大，因此可借比例较低。',
    informationTw: '以產出幣 HASH 作質押，不必賣出就能取得 USDT。價格波動較大，因此可借比例較低。',
    informationEn: 'Borrow USDT against HASH without selling it. Its price moves more, so less is lent on it.',
    collateral: 'HASH',
    total: '200000',
    rate: '0.12',
    initialRate: '0.4',
    safetyLine: '0.6',
    clearingLine: '0.75',
  },
]
