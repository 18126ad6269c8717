import type { Mutant } from './mutant.ts'

/** Planted bugs in roles, their notice, caps, pausing and ownership. */

const line = (bug: string, search: string): Mutant => ({ bug, search: `        ${search}\n`, replace: '' })

const roles: readonly Mutant[] = [
  ...[
    'setGuardian(address newGuardian)',
    'nameStandby(Role role, address account)',
    'switchToStandby(Role role)',
    'removePayer()',
    'unpause()',
    'lowerCap(address asset, uint256 newCap)',
    'announceRaise(address asset, uint256 newCap)',
    'raiseCap(address asset)',
  ].map((signature) => ({
    bug: `anybody can call ${signature}`,
    search: `${signature} external onlyOwner`,
    replace: `${signature} external`,
  })),
  {
    bug: 'the owner can pay too',
    search: 'require(msg.sender == payer, NotPayer',
    replace: 'require(msg.sender == payer || msg.sender == owner(), NotPayer',
  },
  {
    bug: 'the payer can attest too',
    search: 'require(msg.sender == attester, NotAttester',
    replace: 'require(msg.sender == attester || msg.sender == payer, NotAttester',
  },
  {
    bug: 'the owner can attest too',
    search: 'require(msg.sender == attester, NotAttester',
    replace: 'require(msg.sender == attester || msg.sender == owner(), NotAttester',
  },
  { bug: 'the notice is 6 days', search: 'NOTICE = 7 days', replace: 'NOTICE = 6 days' },
  {
    bug: 'a standby can take over at once after it was named',
    search: '_nameStandby(role, account, block.timestamp + NOTICE);',
    replace: '_nameStandby(role, account, block.timestamp);',
  },
  line('a standby takes over before the notice is over', '_requireReached(next.from);'),
  {
    bug: 'a notice is over a second late',
    search: 'require(block.timestamp >= from, TooEarly(from));',
    replace: 'require(block.timestamp > from, TooEarly(from));',
  },
  line('nobody can take over', 'require(next.account != address(0), NoStandby(role));'),
  {
    bug: 'a standby stays the standby',
    search: '        delete _standbys[role];\n        _setRole(role, next.account);',
    replace: '        _setRole(role, next.account);',
  },
  {
    bug: 'the notice of a standby cannot begin again',
    search: '        delete _standbys[role];\n        _requireNoRole(account);',
    replace: '        _requireNoRole(account);',
  },
  {
    bug: 'who has a role can be a standby',
    search: '        delete _standbys[role];\n        _requireNoRole(account);\n',
    replace: '',
  },
  {
    bug: 'the payer’s standby can be the guardian',
    search: ' && account != _standbys[Role.Payer].account',
    replace: '',
  },
  {
    bug: 'the attester’s standby can be the guardian',
    search: ' && account != _standbys[Role.Attester].account',
    replace: '',
  },
  line('the standby does not take over', '_setRole(role, next.account);'),
  line('the payer is not removed', '_setRole(Role.Payer, address(0));'),
  {
    bug: 'the payer’s standby becomes the attester',
    search: 'if (role == Role.Payer) payer = account;',
    replace: 'if (role == Role.Attester) payer = account;',
  },
  {
    bug: 'the event of a role names the other one’s account',
    search: 'role == Role.Payer ? payer : attester',
    replace: 'role == Role.Attester ? payer : attester',
  },
  line('standbys are not kept', '_standbys[role] = Standby(account, uint48(from));'),
  line('naming a standby emits nothing', 'emit StandbyNamed(role, account, from);'),
  line('the guardian is not kept', 'guardian = newGuardian;'),
  line('another guardian emits nothing', 'emit GuardianChanged(guardian, newGuardian);'),
  {
    bug: 'the payer can be the guardian',
    search: 'account != payer && account != attester',
    replace: 'account != attester',
  },
  {
    bug: 'the attester can be the payer',
    search: 'account != payer && account != attester && account != guardian',
    replace: 'account != payer && account != guardian',
  },
  { bug: 'the guardian can be the payer', search: ' && account != guardian', replace: '' },
  {
    bug: 'anybody can pause',
    search: '        require(msg.sender == owner() || msg.sender == guardian, NotOwnerOrGuardian(msg.sender));\n',
    replace: '',
  },
  {
    bug: 'the guardian cannot pause',
    search: 'msg.sender == owner() || msg.sender == guardian',
    replace: 'msg.sender == owner()',
  },
  {
    bug: 'the owner cannot pause',
    search: 'msg.sender == owner() || msg.sender == guardian',
    replace: 'msg.sender == guardian',
  },
  {
    bug: 'the payer can pause',
    search: 'msg.sender == owner() || msg.sender == guardian',
    replace: 'msg.sender == owner() || msg.sender == guardian || msg.sender == payer',
  },
  line('the next owner can accept at once', '_requireValid(ownershipFrom);'),
  {
    bug: 'the next owner can accept years later',
    search: '_requireValid(ownershipFrom);',
    replace: '_requireReached(ownershipFrom);',
  },
  {
    bug: 'a raise never lapses',
    search: '_requireValid(raise.from);',
    replace: '_requireReached(raise.from);',
  },
  {
    bug: 'what was announced lapses a second early',
    search: 'block.timestamp <= from + VALIDITY',
    replace: 'block.timestamp < from + VALIDITY',
  },
  {
    bug: 'the notice of another owner begins once',
    search: 'ownershipFrom = block.timestamp + NOTICE;',
    replace: 'if (ownershipFrom == 0) ownershipFrom = block.timestamp + NOTICE;',
  },
  { bug: 'ownership can be renounced', search: '        revert CannotRenounce();\n', replace: '' },
]

const caps: readonly Mutant[] = [
  line('a cap can be raised at once', 'require(newCap <= cap, AboveCap(asset, cap));'),
  {
    bug: 'an announced raise survives a lower cap',
    search: '        delete _raises[asset];\n        _setCap(asset, uint104(newCap));\n',
    replace: '        _setCap(asset, uint104(newCap));\n',
  },
  {
    bug: 'a raise can be announced for nothing',
    search: '        if (asset != address(0)) _requireContract(asset);\n',
    replace: '',
  },
  {
    bug: 'the native currency’s cap cannot be raised',
    search: 'if (asset != address(0)) _requireContract',
    replace: '_requireContract',
  },
  line('announcements are not kept', '_raises[asset] = Raise(newCap.toUint104(), uint48(from));'),
  line('announcing a raise emits nothing', 'emit RaiseAnnounced(asset, newCap, from);'),
  line('what was not announced can be raised', 'require(raise.from != 0, NothingAnnounced(asset));'),
  line('a cap is raised before the notice is over', '_requireValid(raise.from);'),
  {
    bug: 'a raise can be repeated',
    search: '        delete _raises[asset];\n        _setCap(asset, raise.amount);\n',
    replace: '        _setCap(asset, raise.amount);\n',
  },
  line('the cap is not kept when it is raised', '_setCap(asset, raise.amount);'),
  line('the first caps are not kept', '    _setCap(assets[i], setup.caps[i].toUint104());'),
  { bug: 'a cap that is too high is cut off', search: 'setup.caps[i].toUint104()', replace: 'uint104(setup.caps[i])' },
  { bug: 'a raise that is too high is cut off', search: 'newCap.toUint104()', replace: 'uint104(newCap)' },
  line('more than the cap can be paid', 'require(amount <= left, DailyCapExceeded(asset, amount, left));'),
  {
    bug: 'the last unit of the cap cannot be paid',
    search: 'require(amount <= left,',
    replace: 'require(amount < left,',
  },
  line('payments do not count', '_caps[asset] = Cap(cap.amount, uint104(used + amount), uint48(block.timestamp));'),
  { bug: 'only the last payment counts', search: 'uint104(used + amount)', replace: 'uint104(amount)' },
  {
    bug: 'the time of a payment is not kept',
    search: 'Cap(cap.amount, uint104(used + amount), uint48(block.timestamp))',
    replace: 'Cap(cap.amount, uint104(used + amount), cap.usedAt)',
  },
  { bug: 'a cap comes back in 12 hours', search: 'REFILL_TIME = 1 days', replace: 'REFILL_TIME = 12 hours' },
  {
    bug: 'more comes back than was used',
    search: 'used = back < cap.used ? cap.used - back : 0;',
    replace: 'used = cap.used - back;',
  },
  {
    bug: 'all comes back at once',
    search: 'used = back < cap.used ? cap.used - back : 0;',
    replace: 'used = back == 0 ? cap.used : 0;',
  },
  {
    bug: 'a lowered cap underflows',
    search: 'left = used < cap.amount ? cap.amount - used : 0;',
    replace: 'left = cap.amount - used;',
  },
  {
    bug: 'another cap forgets what was used',
    search: '_caps[asset] = Cap(newCap, uint104(used), uint48(block.timestamp));',
    replace: '_caps[asset] = Cap(newCap, 0 * uint104(used), uint48(block.timestamp));',
  },
  {
    bug: 'what was used comes back again when the cap changes',
    search: 'Cap(newCap, uint104(used), uint48(block.timestamp))',
    replace: 'Cap(newCap, uint104(used), cap.usedAt)',
  },
  {
    bug: 'the event of a cap lacks the cap before',
    search: 'DailyCapChanged(asset, cap.amount, newCap)',
    replace: 'DailyCapChanged(asset, newCap, newCap)',
  },
]

export const control: readonly Mutant[] = [...roles, ...caps].map((mutant) => ({
  ...mutant,
  file: 'GatewayControl.sol',
}))
