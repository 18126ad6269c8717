// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IAttestedGateway} from "./IAttestedGateway.sol";
import {IPaymentGateway} from "./IPaymentGateway.sol";
import {SumTree} from "./SumTree.sol";
import {Ownable2Step} from "@openzeppelin/contracts/access/Ownable2Step.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {ReentrancyGuard} from "@openzeppelin/contracts/utils/ReentrancyGuard.sol";
import {SafeCast} from "@openzeppelin/contracts/utils/math/SafeCast.sol";
import {Checkpoints} from "@openzeppelin/contracts/utils/structs/Checkpoints.sol";

/// @title The part of the gateway for attestations, exit mode and the owner's taking; documented in the interface
/// @dev Why claims never exceed what is held. Leaves that can be proved sum to the attested sums S at most. Of member i the leaf
/// L(i), less min(P(i), L(i)) of what was paid since, is due; the counted C is a part of the sum of all min(P, L). So what is due
/// to all is S - C at most, and each gets held ÷ (S - C) of its due, rounded down, or all of it when held is no less.
abstract contract AttestedGateway is IAttestedGateway, Ownable2Step, ReentrancyGuard {
    using Checkpoints for Checkpoints.Trace208;
    using SafeCast for uint256;
    using SafeERC20 for IERC20;

    /// @inheritdoc IAttestedGateway
    uint256 public constant EXIT_DELAY = 30 days;
    /// @inheritdoc IAttestedGateway
    uint256 public constant COUNT_PERIOD = 7 days;
    /// @inheritdoc IAttestedGateway
    uint256 public constant TAKING_NOTICE = 7 days;
    uint256 private constant MAX_DEPTH = 32;
    /// @dev More than any token in use needs to tell a balance. Bounded, so that a token that burns gas keeps nobody in.
    uint256 private constant BALANCE_GAS = 200_000;
    /// @dev A call gets 63/64 of what is left at most, less what reaching another account costs.
    uint256 private constant GAS_BEFORE_BALANCE = BALANCE_GAS + BALANCE_GAS / 32;

    /// @inheritdoc IAttestedGateway
    uint256 public exitedAt;
    /// @inheritdoc IAttestedGateway
    uint256 public claimsOpenAt;
    Attestation private _last;
    uint256[3] private _heldAtExit;
    uint128[3] private _countedPaid;
    mapping(address member => bool) private _isCounted;
    mapping(address member => bool[3]) private _isClaimed;
    mapping(address asset => Taking) private _takings;
    /// @dev All that `pay` has paid to an address, by block: a payment between the attested block and the attestation counts.
    mapping(address asset => mapping(address to => Checkpoints.Trace208)) private _paid;

    modifier notInExit() {
        require(exitedAt == 0, InExit());
        _;
    }

    /// @inheritdoc IAttestedGateway
    function attest(
        uint256 day,
        bytes32 root,
        uint128[3] calldata sums,
        uint256 leaves,
        uint256 blockNumber,
        uint256 ledgerSequence
    ) external notInExit {
        _requirePayer();
        require(day > _last.day && day <= block.timestamp / 1 days, BadDay(day));
        require(root != bytes32(0), ZeroRoot());
        require(blockNumber > _last.blockNumber && blockNumber < block.number, BadBlock(blockNumber));
        bool fits = ledgerSequence >= _last.ledgerSequence && ledgerSequence <= type(uint64).max;
        require(fits, BadSequence(ledgerSequence));
        _last.depth = _depthOf(leaves);
        _last.root = root;
        _last.sums = sums;
        _last.subcoin = _subcoin();
        _last.attestedAt = uint48(block.timestamp);
        _last.day = uint32(day);
        _last.blockNumber = uint48(blockNumber);
        _last.ledgerSequence = uint64(ledgerSequence);
        emit Attested(day, root, sums, leaves, blockNumber, ledgerSequence);
    }

    /// @inheritdoc IAttestedGateway
    function enterExit() external notInExit {
        require(_last.attestedAt != 0, NeverAttested());
        uint256 from = _last.attestedAt + EXIT_DELAY + 1;
        require(block.timestamp >= from, TooEarly(from));
        exitedAt = block.timestamp;
        claimsOpenAt = block.timestamp;
        address[3] memory assets = _assets();
        for (uint256 i = 0; i < 3; ++i) {
            _heldAtExit[i] = _held(assets[i]);
            if (_heldAtExit[i] < _last.sums[i]) claimsOpenAt = block.timestamp + COUNT_PERIOD;
        }
        emit ExitEntered(_heldAtExit, claimsOpenAt);
    }

    /// @inheritdoc IAttestedGateway
    function countPaid(SumTree.Leaf calldata leaf, bytes32 salt, SumTree.Node[] calldata path) external {
        require(exitedAt != 0, NotInExit());
        require(block.timestamp < claimsOpenAt, ClaimsAreOpen());
        _requireInTree(leaf, salt, path);
        address[3] memory assets = _assets();
        uint128[3] memory paid;
        for (uint256 i = 0; i < 3; ++i) {
            paid[i] = _paidOf(leaf.owed[i], assets[i], leaf.member);
            _countedPaid[i] += paid[i];
        }
        bool isNew = !_isCounted[leaf.member] && (paid[0] != 0 || paid[1] != 0 || paid[2] != 0);
        require(isNew, NothingToCount(leaf.member));
        _isCounted[leaf.member] = true;
        emit PaidCounted(leaf.member, paid);
    }

    /// @inheritdoc IAttestedGateway
    function claim(SumTree.Leaf calldata leaf, bytes32 salt, SumTree.Node[] calldata path) external nonReentrant {
        require(exitedAt != 0, NotInExit());
        require(block.timestamp >= claimsOpenAt, TooEarly(claimsOpenAt));
        _requireInTree(leaf, salt, path);
        address[3] memory assets = _assets();
        for (uint256 i = 0; i < 3; ++i) {
            if (_heldAtExit[i] == 0) _heldAtExit[i] = _held(assets[i]);
        }
        uint256[3] memory shares = claimable(leaf.member, leaf.owed);
        bool any = false;
        for (uint256 i = 0; i < 3; ++i) {
            if (shares[i] == 0) continue;
            // Written before it is sent; the guard keeps a recipient that calls back from claiming the next asset meanwhile.
            _isClaimed[leaf.member][i] = true;
            if (_trySend(assets[i], leaf.member, shares[i])) {
                any = true;
                emit Claimed(leaf.member, assets[i], shares[i]);
            } else {
                _isClaimed[leaf.member][i] = false;
            }
        }
        require(any, NothingToClaim(leaf.member));
    }

    /// @inheritdoc IAttestedGateway
    function announceTaking(address asset, address to, uint256 amount) external onlyOwner notInExit {
        require(to != address(0) && to != address(this), IPaymentGateway.BadRecipient(to));
        _takings[asset] = Taking(to, uint48(block.timestamp), uint48(block.number), amount, _held(asset));
        emit TakingAnnounced(asset, to, amount, block.timestamp + TAKING_NOTICE);
    }

    /// @inheritdoc IAttestedGateway
    function take(address asset) external onlyOwner notInExit {
        Taking memory taking = _takings[asset];
        require(taking.amount != 0, NothingAnnounced(asset));
        uint256 from = taking.announcedAt + TAKING_NOTICE;
        require(block.timestamp >= from, TooEarly(from));
        require(_last.blockNumber > taking.blockNumber, NotAttestedSince(taking.blockNumber));
        uint256 surplus = _surplus(asset, taking.heldThen);
        require(taking.amount <= surplus, ExceedsSurplus(asset, taking.amount, surplus));
        // Before it is sent, so that a recipient that calls back finds nothing announced.
        delete _takings[asset];
        emit Taken(asset, taking.to, taking.amount);
        _send(IPaymentGateway.Payment(bytes32(0), asset, taking.to, taking.amount));
    }

    /// @inheritdoc IAttestedGateway
    function lastAttestation() external view returns (Attestation memory) {
        return _last;
    }

    /// @inheritdoc IAttestedGateway
    function heldAtExit() external view returns (uint256[3] memory) {
        return _heldAtExit;
    }

    /// @inheritdoc IAttestedGateway
    function countedPaid() external view returns (uint128[3] memory) {
        return _countedPaid;
    }

    /// @inheritdoc IAttestedGateway
    function isClaimed(address member) external view returns (bool[3] memory) {
        return _isClaimed[member];
    }

    /// @inheritdoc IAttestedGateway
    function announcedTaking(address asset) external view returns (Taking memory) {
        return _takings[asset];
    }

    /// @inheritdoc IAttestedGateway
    function paidSince(address asset, address to) public view returns (uint256) {
        Checkpoints.Trace208 storage paid = _paid[asset][to];
        return paid.latest() - paid.upperLookupRecent(_last.blockNumber);
    }

    /// @inheritdoc IAttestedGateway
    function claimable(address member, uint128[3] calldata owed) public view returns (uint256[3] memory shares) {
        if (exitedAt == 0) return shares;
        address[3] memory assets = _assets();
        for (uint256 i = 0; i < 3; ++i) {
            if (_isClaimed[member][i]) continue;
            uint256 due = owed[i] - _paidOf(owed[i], assets[i], member);
            (uint256 held, uint256 dueToAll) = (_heldAtExit[i], _last.sums[i] - _countedPaid[i]);
            // Of what was not held, or could not be told, nobody has claimed anything: it is as good now as then.
            if (held == 0) held = _held(assets[i]);
            // Both factors are below 2^128 where they are multiplied.
            shares[i] = held >= dueToAll ? due : due * held / dueToAll;
        }
    }

    /// @dev Called for each payment out.
    function _recordPaid(address asset, address to, uint256 amount) internal {
        Checkpoints.Trace208 storage paid = _paid[asset][to];
        paid.push(uint48(block.number), (paid.latest() + amount).toUint208());
    }

    function _requirePayer() internal view virtual;

    /// @dev The output coin now.
    function _subcoin() internal view virtual returns (address);

    function _usdt() internal view virtual returns (address);

    /// @dev Sends exactly that amount or reverts.
    function _send(IPaymentGateway.Payment memory payment) internal virtual;

    /// @dev Sends the native currency with bounded gas; false when it was refused.
    function _tryNative(address to, uint256 amount) internal virtual returns (bool);

    function _trySend(address asset, address to, uint256 amount) private returns (bool) {
        return asset == address(0) ? _tryNative(to, amount) : IERC20(asset).trySafeTransfer(to, amount);
    }

    /// @dev The assets of the attested sums, in their order.
    function _assets() private view returns (address[3] memory) {
        return [_usdt(), _last.subcoin, address(0)];
    }

    /// @dev Zero for a token that cannot tell: none can keep anyone from leaving. A caller that leaves it too little gas is refused,
    /// so nobody can make a balance look like zero.
    function _held(address asset) private view returns (uint256 held) {
        if (asset == address(0)) return address(this).balance;
        bytes memory question = abi.encodeCall(IERC20.balanceOf, (address(this)));
        require(gasleft() >= GAS_BEFORE_BALANCE, TooLittleGas());
        // In assembly, because Solidity would copy all that the token returns.
        assembly ("memory-safe") {
            let done := staticcall(BALANCE_GAS, asset, add(question, 0x20), mload(question), 0, 0x20)
            if and(done, gt(returndatasize(), 0x1f)) { held := mload(0) }
        }
    }

    /// @dev What was paid since the attested block, up to the leaf: the rest was not owed then.
    function _paidOf(uint128 owed, address asset, address member) private view returns (uint128) {
        uint256 paid = paidSince(asset, member);
        return paid < owed ? uint128(paid) : owed;
    }

    function _surplus(address asset, uint256 heldThen) private view returns (uint256) {
        uint256 held = _held(asset);
        if (heldThen < held) held = heldThen;
        address[3] memory assets = _assets();
        uint256 owed = 0;
        for (uint256 i = 0; i < 3; ++i) {
            if (assets[i] == asset) owed = _last.sums[i];
        }
        return held > owed ? held - owed : 0;
    }

    function _requireInTree(SumTree.Leaf calldata leaf, bytes32 salt, SumTree.Node[] calldata path) private view {
        bool isInside = path.length == _last.depth && leaf.position >> path.length == 0;
        require(isInside, NotInTree());
        SumTree.Node memory root = SumTree.rootOf(leaf, salt, path, address(this), _last.day);
        require(root.hash == _last.root, NotInTree());
        for (uint256 i = 0; i < 3; ++i) {
            require(root.sums[i] == _last.sums[i], NotInTree());
        }
    }

    function _depthOf(uint256 leaves) private pure returns (uint8) {
        for (uint256 depth = 0; depth <= MAX_DEPTH; ++depth) {
            if (leaves == 1 << depth) return uint8(depth);
        }
        revert BadLeaves(leaves);
    }
}
