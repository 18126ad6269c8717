import { attested } from './attested.ts'
import { control } from './control.ts'
import type { Mutant } from './mutant.ts'

const moneyIn: readonly Mutant[] = [
  { bug: 'any key is accepted', search: '        _requireKnownKey(abiKey);\n', replace: '' },
  { bug: 'buyPower is misspelt', search: 'keccak256("buyPower")', replace: 'keccak256("buypower")' },
  { bug: 'deposit is unknown', search: ' || key == DEPOSIT', replace: '' },
  { bug: 'revenue is unknown', search: ' || key == REVENUE', replace: '' },
  { bug: 'repay is unknown', search: ' || key == REPAY', replace: '' },
  { bug: 'zero amounts come in', search: '        require(amount != 0, ZeroAmount());\n', replace: '' },
  {
    bug: 'nobody can be the customer',
    search: '        require(customer != address(0), ZeroCustomer());\n',
    replace: '',
  },
  { bug: 'references are not checked', search: '        _requirePrintable(bytes(ref));\n', replace: '' },
  { bug: 'a reference may have 129 bytes', search: 'MAX_REFERENCE_BYTES = 128', replace: 'MAX_REFERENCE_BYTES = 129' },
  { bug: 'a reference has 127 bytes at most', search: 'ref.length <= MAX', replace: 'ref.length < MAX' },
  { bug: 'byte 0x1f is let in', search: 'ref[i] >= 0x20', replace: 'ref[i] >= 0x1f' },
  { bug: 'a space is kept out', search: 'ref[i] >= 0x20', replace: 'ref[i] > 0x20' },
  { bug: 'byte 0x7f is let in', search: 'ref[i] <= 0x7e', replace: 'ref[i] <= 0x7f' },
  { bug: 'only the first byte is checked', search: 'i < ref.length', replace: 'i < ref.length && i < 1' },
  { bug: 'more native value than the amount is kept', search: 'msg.value == amount', replace: 'msg.value >= amount' },
  { bug: 'less native value than the amount is enough', search: 'msg.value == amount', replace: 'msg.value <= amount' },
  {
    bug: 'value sent beside a token is kept',
    search: '        require(msg.value == 0, WrongValue(0, msg.value));\n',
    replace: '',
  },
  {
    bug: 'any token is accepted',
    search: '        require(asset == usdt || asset == token, UnsupportedAsset(asset));\n',
    replace: '',
  },
  { bug: 'USDT is not accepted', search: 'asset == usdt || asset == token', replace: 'asset == token' },
  { bug: 'the subcoin is not accepted', search: 'asset == usdt || asset == token', replace: 'asset == usdt' },
  {
    bug: 'the customer pays, not the caller',
    search: 'safeTransferFrom(msg.sender, address(this), amount)',
    replace: 'safeTransferFrom(tx.origin, address(this), amount)',
  },
  {
    bug: 'what arrives is not measured',
    search: '        _requireMoved(asset, amount, before, IERC20(asset).balanceOf(address(this)));\n',
    replace: '        before;\n',
  },
  { bug: 'more than the amount may arrive', search: 'moved == amount', replace: 'moved >= amount' },
  { bug: 'less than the amount may arrive', search: 'moved == amount', replace: 'moved <= amount' },
  {
    bug: 'a token that returns false is believed to have paid',
    search: 'IERC20(asset).safeTransferFrom(',
    replace: 'IERC20(asset).transferFrom(',
  },
  {
    bug: 'a token may call recharge again',
    search: 'external payable nonReentrant whileOpen {',
    replace: 'external payable whileOpen {',
  },
  {
    bug: 'the remark lacks the colon',
    search: 'string.concat(abiKey, ":", ref)',
    replace: 'string.concat(abiKey, ref)',
  },
  {
    bug: 'the remark lacks the reference',
    search: 'string.concat(abiKey, ":", ref)',
    replace: 'string.concat(abiKey, ":")',
  },
  {
    bug: 'the caller is left out of the event',
    search: 'customers[0] = msg.sender',
    replace: 'customers[0] = customer',
  },
  {
    bug: 'the customer is left out of the event',
    search: 'customers[1] = customer',
    replace: 'customers[1] = msg.sender',
  },
  { bug: 'the event does not say the asset', search: '        assets[0] = asset;\n', replace: '' },
  { bug: 'the event does not say the amount', search: '        amounts[0] = amount;\n', replace: '' },
  {
    bug: 'a recharge comes in without an attestation, and in exit mode',
    search: 'external payable nonReentrant whileOpen {',
    replace: 'external payable nonReentrant {',
  },
  {
    bug: 'plain transfers come in without an attestation, and in exit mode',
    search: 'receive() external payable whileOpen {',
    replace: 'receive() external payable {',
  },
  { bug: 'empty transfers emit', search: '        require(msg.value != 0, ZeroAmount());\n', replace: '' },
  {
    bug: 'plain transfers emit nothing',
    search: '        _emitReceipt(NATIVE, msg.value, "native:", msg.sender);\n',
    replace: '',
  },
  {
    bug: 'plain transfers emit the whole balance',
    search: 'NATIVE, msg.value, "native:"',
    replace: 'NATIVE, address(this).balance, "native:"',
  },
  {
    bug: 'unknown calls are swallowed',
    search: '    receive() external payable whileOpen {',
    replace: '    fallback() external payable {}\n\n    receive() external payable whileOpen {',
  },
  {
    bug: 'money in stops with money out',
    search: 'external payable nonReentrant whileOpen {',
    replace: 'external payable nonReentrant whenNotPaused whileOpen {',
  },
]

const pay =
  'uint256 amount)\n        external\n        nonReentrant\n        whenNotPaused\n        onlyPayer\n        notInExit\n'
const batch = 'payments) external nonReentrant whenNotPaused onlyPayer notInExit'

const moneyOut: readonly Mutant[] = [
  { bug: 'anybody can pay', search: pay, replace: pay.replace('        onlyPayer\n', '') },
  { bug: 'anybody can pay a batch', search: batch, replace: batch.replace(' onlyPayer', '') },
  { bug: 'pause does not stop pay', search: pay, replace: pay.replace('        whenNotPaused\n', '') },
  { bug: 'pause does not stop a batch', search: batch, replace: batch.replace(' whenNotPaused', '') },
  { bug: 'pay can be called from inside', search: pay, replace: pay.replace('        nonReentrant\n', '') },
  { bug: 'a batch can be interrupted by pay', search: batch, replace: batch.replace(' nonReentrant', '') },
  { bug: 'pay goes on in exit mode', search: pay, replace: pay.replace('        notInExit\n', '') },
  { bug: 'batches go on in exit mode', search: batch, replace: batch.replace(' notInExit', '') },
  {
    bug: 'payments are not recorded for claims',
    search: '        _recordPaid(payment.asset, payment.to, payment.amount);\n',
    replace: '',
  },
  { bug: 'a batch stops before its last payment', search: 'i < payments.length', replace: 'i + 1 < payments.length' },
  { bug: 'the zero id is an id', search: '        require(payment.id != bytes32(0), ZeroId());\n', replace: '' },
  {
    bug: 'an id can be paid twice',
    search: '        require(!isPaid[payment.id], AlreadyPaid(payment.id));\n',
    replace: '',
  },
  { bug: 'ids are not marked', search: '        isPaid[payment.id] = true;\n', replace: '' },
  { bug: 'zero is paid', search: '        require(payment.amount != 0, ZeroAmount());\n', replace: '' },
  {
    bug: 'nobody is paid',
    search: 'payment.to != address(0) && payment.to != address(this)',
    replace: 'payment.to != address(this)',
  },
  {
    bug: 'the gateway pays itself',
    search: 'payment.to != address(0) && payment.to != address(this)',
    replace: 'payment.to != address(0)',
  },
  { bug: 'there is no cap', search: '        _useCap(payment.asset, payment.amount);\n', replace: '' },
  {
    bug: 'one cap for all assets',
    search: '_useCap(payment.asset, payment.amount)',
    replace: '_useCap(NATIVE, payment.amount)',
  },
  {
    bug: 'payments emit nothing',
    search: '        emit Paid(payment.id, payment.asset, payment.to, payment.amount);\n',
    replace: '',
  },
  {
    bug: 'a failed native payment passes',
    search: '        require(sent, NativePaymentFailed(payment.id, payment.to, payment.amount));\n',
    replace: '        sent;\n',
  },
  {
    bug: 'native payments send nothing',
    search: 'call(NATIVE_PAYMENT_GAS, to, amount,',
    replace: 'call(NATIVE_PAYMENT_GAS, to, 0,',
  },
  { bug: 'a native recipient gets too little gas for a contract', search: 'GAS = 100_000', replace: 'GAS = 2_300' },
  { bug: 'a native recipient gets all gas', search: 'call(NATIVE_PAYMENT_GAS,', replace: 'call(gas(),' },
  {
    bug: 'what a native recipient returns is copied',
    search: 'call(NATIVE_PAYMENT_GAS, to, amount, 0, 0, 0, 0)',
    replace:
      'call(NATIVE_PAYMENT_GAS, to, amount, 0, 0, 0, 0)\n            returndatacopy(mload(0x40), 0, returndatasize())',
  },
  {
    bug: 'a token that returns false is believed to be paid',
    search: 'asset.safeTransfer(',
    replace: 'asset.transfer(',
  },
  {
    bug: 'what the gateway gave is not measured',
    search: '        _requireMoved(payment.asset, payment.amount, asset.balanceOf(address(this)), ours);\n',
    replace: '        ours;\n',
  },
  {
    bug: 'what the recipient got is not measured',
    search: '        _requireMoved(payment.asset, payment.amount, theirs, asset.balanceOf(payment.to));\n',
    replace: '        theirs;\n',
  },
]

const settings: readonly Mutant[] = [
  ...['setSwapRouter(address newRouter)', 'setSubcoin(address newSubcoin)'].map((signature) => ({
    bug: `anybody can call ${signature}`,
    search: `${signature} external onlyOwner`,
    replace: `${signature} external`,
  })),
  { bug: 'the router is not kept', search: '        swapRouter = newRouter;\n', replace: '' },
  { bug: 'the router may be anything', search: '        _requireContract(newRouter);\n', replace: '' },
  { bug: 'the subcoin is not kept', search: '        token = newSubcoin;\n', replace: '' },
  { bug: 'the subcoin may be anything', search: '        _requireContract(newSubcoin);\n', replace: '' },
  {
    bug: 'the subcoin may be USDT',
    search: '        require(newSubcoin != usdt, SameToken(newSubcoin));\n',
    replace: '',
  },
  { bug: 'USDT may be anything', search: '        _requireContract(usdt_);\n', replace: '' },
  {
    bug: 'the pair is looked for with the router as a token',
    search: 'getPair(token, usdt)',
    replace: 'getPair(swapRouter, usdt)',
  },
]

const stablecoin: readonly Mutant[] = [
  {
    bug: 'anybody thaws what others froze',
    search: '        require(value <= frozen, NotEnoughFrozen(msg.sender, frozen, value));\n',
    replace: '',
  },
  { bug: 'frozen money can be thawed again', search: '        freezeOf[msg.sender] = frozen - value;\n', replace: '' },
  { bug: 'freezing takes no money', search: '        _transfer(msg.sender, address(this), value);\n', replace: '' },
  { bug: 'burning burns nothing', search: '        _burn(msg.sender, value);\n', replace: '' },
].map((mutant) => ({ ...mutant, file: 'dev/StablecoinToken.sol' }))

/** Every planted bug. Each must be killed by a test that says what is wrong, so the gas snapshot does not count. */
export const mutants: readonly Mutant[] = [...moneyIn, ...moneyOut, ...settings, ...control, ...attested, ...stablecoin]
