/** Home before anybody has signed in. */
export const texts = {
  // Behind the comma a space without width: WebKit breaks a line of whole words nowhere else.
  'visit.title': '每個數字，\u200b都能親自驗算',
  'visit.lead': '在鏈上付款購買算力，領取它實際賺到的產出。沒有收入的日子就沒有產出，也沒有任何固定報酬的承諾。',
  'visit.connect': '連接錢包',
  'visit.signIn': '繼續登入',
  'visit.ended': '這台裝置已登出：可能是從其他裝置登出、超過七天沒有使用，或登入已滿三十天。您的資產不受影響。',
  'visit.tooMany': '這台裝置還沒登入，因為登入的裝置已達上限。您可以先登出其中一台，或改在這台登入。',
  'visit.otherAccount': '錢包換成了另一個帳戶，所以原來的帳戶已登出。要用目前的帳戶，請登入。',
  'visit.otherTab': '另一個分頁用別的帳戶登入了，所以這個分頁已登出。您的資產不受影響。',
  'visit.busy.connecting': '等待錢包回應',
  'visit.busy.checking': '正在確認地址',
  'visit.busy.signing': '請在錢包中簽署登入訊息',
  'visit.busy.entering': '正在登入',
  'visit.signNote': '登入只需簽署一則訊息，不花手續費，也不授權任何款項。',
  'visit.invited': '您帶著邀請碼 {code} 而來，首次登入時會自動填入。',
  'visit.figures': '此刻的公開數字',
  'visit.steps': '運作方式',
  'visit.step1': '付款上鏈',
  'visit.step1Text': '您的付款直接進入公開的合約，幾個區塊後算力即生效。',
  'visit.step2': '收入上鏈',
  'visit.step2Text': '營運方每天把真實收入存入同一個合約，金額與交易人人可查。',
  'visit.step3': '依份額分配',
  'visit.step3Text': '當日收入扣除服務費，依算力比例分給每一位持有者，每一筆都附計算依據。',

  'figure.totalUnits': '運轉中的算力',
  'figure.totalUnitsFrom': '所有帳戶目前有效算力的總和。每一筆都來自合約上一筆已確認的付款。',
  'figure.accounts': '{count} 個帳戶',
  'figure.revenue': '昨日收入',
  'figure.revenueFrom': '營運方在該日（UTC）存入合約的收入。當日付出的產出不會超過這個數字。',
  'figure.perUnit': '每 {unit} 產出',
  'figure.perUnitFrom': '當日收入扣除服務費，除以當日有效算力的總和，無條件捨去。',
  'figure.fundRate': '基金年化',
  'figure.fundRateFrom': '理財基金近 7 個結算日的淨值變動：上漲換算成年率，虧損照實列出，不做年化。會隨時變動。',
  'figure.solvency': '償付率',
  'figure.solvencyFrom':
    '最近一次對帳時，各資產在合約中的持有量除以應付總額；這裡顯示其中最低的一項。100% 以上代表應付的全部都在鏈上。',
  'figure.nothingOwed': '目前沒有應付款',
  'figure.tooOld': '{age}的數字，已過期',
  'figure.heldOfOwed': '{asset} 持有 / 應付',
  'figure.compared': '對帳時間',
  'figure.solvencyShort': '至少有一項資產，合約持有的少於應付總額。差額請看下方各資產的數字。',
  'figure.solvencyOld': '最近一次對帳太久以前，這個數字無法說明現在的情況。恢復對帳後會自動更新。',
  'figure.day': '結算日（UTC）',
  'figure.gateway': '收款合約',
  'figure.afterFirstDay': '首次結算後公布',
  'figure.afterFund': '基金開放後公布',
  'figure.afterReconcile': '首次對帳後公布',
} as const

type Texts = typeof texts
declare module '../../../i18n/translate.ts' {
  interface Messages extends Texts {}
}
