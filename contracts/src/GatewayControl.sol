// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IGatewayControl} from "./IGatewayControl.sol";
import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {Ownable2Step} from "@openzeppelin/contracts/access/Ownable2Step.sol";
import {Pausable} from "@openzeppelin/contracts/utils/Pausable.sol";
import {SafeCast} from "@openzeppelin/contracts/utils/math/SafeCast.sol";

/// @title The part of the gateway for its roles and caps; documented in the interface
abstract contract GatewayControl is IGatewayControl, Ownable2Step, Pausable {
    using SafeCast for uint256;

    /// @dev A bucket: `used` of the cap at `usedAt`, of which the whole cap flows back in a day. One slot.
    struct Cap {
        uint104 amount;
        uint104 used;
        uint48 usedAt;
    }

    /// @inheritdoc IGatewayControl
    uint256 public constant NOTICE = 7 days;
    /// @inheritdoc IGatewayControl
    uint256 public constant VALIDITY = 30 days;
    /// @dev How long a used cap takes until it is whole again.
    uint256 private constant REFILL_TIME = 1 days;

    /// @inheritdoc IGatewayControl
    address public attester;
    /// @inheritdoc IGatewayControl
    address public guardian;
    /// @inheritdoc IGatewayControl
    uint256 public ownershipFrom;
    mapping(Role role => Standby) private _standbys;
    mapping(address asset => Cap) private _caps;
    mapping(address asset => Raise) private _raises;
    /// @inheritdoc IGatewayControl
    /// @dev Last, so that the time of the exit is in the same slot: each payment reads both.
    address public payer;

    /// @param assets USDT, the subcoin, the native currency, as in `setup.caps`
    constructor(Setup memory setup, address[3] memory assets) Ownable(setup.owner) {
        _setRole(Role.Payer, setup.payer);
        _setRole(Role.Attester, setup.attester);
        _setGuardian(setup.guardian);
        _nameStandby(Role.Payer, setup.standbyPayer, block.timestamp);
        _nameStandby(Role.Attester, setup.standbyAttester, block.timestamp);
        for (uint256 i = 0; i < 3; ++i) {
            _setCap(assets[i], setup.caps[i].toUint104());
        }
    }

    modifier onlyPayer() {
        require(msg.sender == payer, NotPayer(msg.sender));
        _;
    }

    modifier onlyAttester() {
        require(msg.sender == attester, NotAttester(msg.sender));
        _;
    }

    /// @inheritdoc IGatewayControl
    function pause() external {
        require(msg.sender == owner() || msg.sender == guardian, NotOwnerOrGuardian(msg.sender));
        _pause();
    }

    /// @inheritdoc IGatewayControl
    function unpause() external onlyOwner {
        _unpause();
    }

    /// @inheritdoc IGatewayControl
    function setGuardian(address newGuardian) external onlyOwner {
        _setGuardian(newGuardian);
    }

    /// @inheritdoc IGatewayControl
    function nameStandby(Role role, address account) external onlyOwner {
        _nameStandby(role, account, block.timestamp + NOTICE);
    }

    /// @inheritdoc IGatewayControl
    function switchToStandby(Role role) external onlyOwner {
        Standby memory next = _standbys[role];
        require(next.account != address(0), NoStandby(role));
        _requireReached(next.from);
        delete _standbys[role];
        _setRole(role, next.account);
    }

    /// @inheritdoc IGatewayControl
    function removePayer() external onlyOwner {
        _setRole(Role.Payer, address(0));
    }

    /// @inheritdoc IGatewayControl
    function lowerCap(address asset, uint256 newCap) external onlyOwner {
        uint256 cap = _caps[asset].amount;
        require(newCap <= cap, AboveCap(asset, cap));
        delete _raises[asset];
        _setCap(asset, uint104(newCap));
    }

    /// @inheritdoc IGatewayControl
    function announceRaise(address asset, uint256 newCap) external onlyOwner {
        if (asset != address(0)) _requireContract(asset);
        uint256 from = block.timestamp + NOTICE;
        _raises[asset] = Raise(newCap.toUint104(), uint48(from));
        emit RaiseAnnounced(asset, newCap, from);
    }

    /// @inheritdoc IGatewayControl
    function raiseCap(address asset) external onlyOwner {
        Raise memory raise = _raises[asset];
        require(raise.from != 0, NothingAnnounced(asset));
        _requireValid(raise.from);
        delete _raises[asset];
        _setCap(asset, raise.amount);
    }

    /// @notice Names the next owner, who can accept after `NOTICE`; zero takes it back. Owner only.
    function transferOwnership(address newOwner) public override onlyOwner {
        ownershipFrom = block.timestamp + NOTICE;
        super.transferOwnership(newOwner);
    }

    /// @notice Makes the named owner the owner. Only that account, `NOTICE` after it was named and `VALIDITY` longer.
    function acceptOwnership() public override {
        _requireValid(ownershipFrom);
        super.acceptOwnership();
    }

    /// @notice Refused: without an owner nobody could name a payer or an attester.
    function renounceOwnership() public pure override {
        revert CannotRenounce();
    }

    /// @inheritdoc IGatewayControl
    function standby(Role role) external view returns (Standby memory) {
        return _standbys[role];
    }

    /// @inheritdoc IGatewayControl
    function dailyCap(address asset) external view returns (uint256) {
        return _caps[asset].amount;
    }

    /// @inheritdoc IGatewayControl
    function announcedRaise(address asset) external view returns (Raise memory) {
        return _raises[asset];
    }

    /// @inheritdoc IGatewayControl
    function leftOfCap(address asset) external view returns (uint256 left) {
        (left,) = _leftOf(_caps[asset]);
    }

    /// @dev Called for each payment out.
    function _useCap(address asset, uint256 amount) internal {
        Cap memory cap = _caps[asset];
        (uint256 left, uint256 used) = _leftOf(cap);
        require(amount <= left, DailyCapExceeded(asset, amount, left));
        _caps[asset] = Cap(cap.amount, uint104(used + amount), uint48(block.timestamp));
    }

    function _requireReached(uint256 from) internal view {
        require(block.timestamp >= from, TooEarly(from));
    }

    /// @dev A change that is announced and forgotten cannot be done years later, when nobody looks any more.
    function _requireValid(uint256 from) internal view {
        _requireReached(from);
        require(block.timestamp <= from + VALIDITY, TooLate(from + VALIDITY));
    }

    function _requireContract(address account) internal view {
        require(account.code.length != 0, NotAContract(account));
    }

    /// @dev The part that flows back is rounded down at each payment, so a cap below 86,400 base units can come back more slowly.
    function _leftOf(Cap memory cap) private view returns (uint256 left, uint256 used) {
        uint256 back = cap.amount * (block.timestamp - cap.usedAt) / REFILL_TIME;
        used = back < cap.used ? cap.used - back : 0;
        // The owner may have lowered the cap below what was used.
        left = used < cap.amount ? cap.amount - used : 0;
    }

    function _setCap(address asset, uint104 newCap) private {
        Cap memory cap = _caps[asset];
        (, uint256 used) = _leftOf(cap);
        emit DailyCapChanged(asset, cap.amount, newCap);
        _caps[asset] = Cap(newCap, uint104(used), uint48(block.timestamp));
    }

    function _setRole(Role role, address account) private {
        _requireNoRole(account);
        emit RoleChanged(role, role == Role.Payer ? payer : attester, account);
        if (role == Role.Payer) payer = account;
        else attester = account;
    }

    function _setGuardian(address newGuardian) private {
        _requireNoRole(newGuardian);
        emit GuardianChanged(guardian, newGuardian);
        guardian = newGuardian;
    }

    function _nameStandby(Role role, address account, uint256 from) private {
        delete _standbys[role];
        _requireNoRole(account);
        _standbys[role] = Standby(account, uint48(from));
        emit StandbyNamed(role, account, from);
    }

    function _requireNoRole(address account) private view {
        bool isFree = account != payer && account != attester && account != guardian
            && account != _standbys[Role.Payer].account && account != _standbys[Role.Attester].account;
        require(account == address(0) || isFree, HasARole(account));
    }
}
