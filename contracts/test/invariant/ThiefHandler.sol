// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IGatewayControl} from "../../src/IGatewayControl.sol";
import {IPaymentGateway} from "../../src/IPaymentGateway.sol";
import {PaymentGateway} from "../../src/PaymentGateway.sol";
import {SumTree} from "../../src/SumTree.sol";
import {StablecoinToken} from "../../src/dev/StablecoinToken.sol";
import {ProofTest} from "../base/ProofTest.sol";
import {bound, vm} from "../base/Vm.sol";

/// @notice A thief has one key of the service from some instant on, and calls what it likes with it and with accounts of its own. The
/// honest operator attests once a day, pays members, and once a day does what the runbook says, with keys that it still has: it
/// switches a stolen payer or attester to the standby, replaces a stolen guardian, and takes back what a thief of the owner's key has
/// announced. The model of what is owed to members knows nothing of the contract.
contract ThiefHandler is ProofTest {
    enum Key {
        None,
        Payer,
        Attester,
        Owner,
        Guardian
    }

    /// @dev How an asset ended, base units: what was held and owed at the exit, what members got, what one of them lacks at most, and what
    /// nobody can claim any more.
    struct Settled {
        uint256 held;
        uint256 due;
        uint256 got;
        uint256 mostLacking;
        uint256 remains;
    }

    uint256 private constant MEMBERS = 3;
    address private constant THIEF = address(0x7E1EF);
    /// @dev The thief's own trees have one leaf, for all that is held and more.
    uint128 private constant MUCH = 1e30;

    Key public stolen;
    uint256 public stolenAt;
    /// @dev When the honest operator acted on the theft; zero before.
    uint256 public replacedAt;
    uint256 private nextId = 1;
    uint256 private operatedAt;
    address private immutable test = msg.sender;
    /// @dev When the last honest attestation came.
    uint256 public attestedAt;
    uint256 private attestedDay;
    uint128[3][4] private attested;
    // The amounts that are owed to members now.
    uint128[3][4] private owed;
    mapping(address asset => uint256) public taken;
    // Acts of the thief that succeeded, by the stolen key, so that a test can show that it tried.
    mapping(Key key => uint256) public thefts;
    mapping(bytes4 action => uint256) public successes;
    bool public couldNotAttest;

    constructor(PaymentGateway gateway_, address[2] memory tokens) {
        gateway = gateway_;
        (usdt, hash) = (StablecoinToken(tokens[0]), StablecoinToken(tokens[1]));
        (operatedAt, attestedAt) = (block.timestamp, block.timestamp);
        // The last leaf is padding, in honest trees with nothing owed to it.
        members[3] = THIEF;
    }

    /// @dev It works on the gateway of the test.
    function setUp() public override {}

    function thief() external pure returns (address) {
        return THIEF;
    }

    // Members.

    function deposit(uint8 which, uint8 who, uint256 amount) external {
        (uint256 place, uint256 member) = (which % 3, who % MEMBERS);
        address asset = _assets()[place];
        amount = bound(amount, 1, 400);
        bytes memory data = abi.encode(amount, asset, members[member], "");
        bytes memory call = abi.encodeCall(gateway.recharge, ("deposit", data));
        if (!_call(customer, asset == NATIVE ? amount : 0, call)) return;
        owed[member][place] += uint128(amount);
    }

    // The service.

    /// @dev The service pays while its payer is the payer: what a member wants, and has.
    function payMember(uint8 which, uint8 who, uint256 amount) external {
        (uint256 place, uint256 member) = (which % 3, who % MEMBERS);
        address asset = _assets()[place];
        if (owed[member][place] == 0 || gateway.exitedAt() != 0) return;
        amount = bound(amount, 1, owed[member][place]);
        bytes memory call = abi.encodeCall(gateway.pay, (_newId(), asset, members[member], amount));
        if (!_call(gateway.payer() == payer ? payer : standbyPayer, 0, call)) return;
        owed[member][place] -= uint128(amount);
    }

    /// @dev Time goes by until the operator looks again.
    function wait(uint32 time) external {
        uint256 until = operatedAt + 1 days;
        if (block.timestamp >= until) return;
        _nextBlock();
        vm.warp(bound(time, block.timestamp, until));
    }

    /// @dev A day after it looked last the operator looks again, and the service attests.
    function nextDay() public {
        _nextBlock();
        operatedAt += 1 days;
        if (block.timestamp > operatedAt) operatedAt = block.timestamp;
        vm.warp(operatedAt);
        _operate();
        _attestHonestly();
    }

    // The thief.

    function steal(uint8 which) external {
        if (stolen != Key.None) return;
        stolen = Key(1 + which % 4);
        stolenAt = block.timestamp;
    }

    function thiefPays(uint8 which, uint256 amount) external {
        if (stolen != Key.Payer) return;
        address asset = _assets()[which % 3];
        amount = bound(amount, 1, 1_000);
        _steal(payer, abi.encodeCall(gateway.pay, (_newId(), asset, THIEF, amount)));
    }

    function thiefPaysAll(uint8 which) external {
        if (stolen != Key.Payer) return;
        address asset = _assets()[which % 3];
        uint256 held = _balance(asset, address(gateway));
        uint256 left = gateway.leftOfCap(asset);
        IPaymentGateway.Payment[] memory payments = new IPaymentGateway.Payment[](1);
        payments[0] = IPaymentGateway.Payment(_newId(), asset, THIEF, held < left ? held : left);
        _steal(payer, abi.encodeCall(gateway.payBatch, (payments)));
    }

    /// @dev A tree in which all is owed to the thief, or nothing to anybody, with any figures that pass.
    function thiefAttests(uint8 depth, uint64 sequence, uint256 back, bool isNothing) external {
        if (stolen != Key.Attester) return;
        uint256 leaves = isNothing ? uint256(1) << (depth % 33) : 4;
        uint256 blockNumber = block.number - 1 - bound(back, 0, 500);
        _steal(attester, _falseAttestation(isNothing, leaves, blockNumber, sequence));
    }

    function _falseAttestation(bool isNothing, uint256 leaves, uint256 blockNumber, uint64 sequence)
        private
        view
        returns (bytes memory)
    {
        (, SumTree.Node memory root) = _tree(_thiefsLeaves(isNothing ? 0 : MUCH), _today());
        address subcoin = isNothing ? THIEF : address(hash);
        return abi.encodeCall(gateway.attest, (_today(), root.hash, root.sums, subcoin, leaves, blockNumber, sequence));
    }

    function thiefUsesOwner(uint8 act, uint8 which, uint256 amount) external {
        if (stolen != Key.Owner) return;
        _ownerActs(act, _assets()[which % 3], IGatewayControl.Role(which % 2), bound(amount, 0, 1e12));
    }

    function thiefAccepts() external {
        if (stolen == Key.Owner) _steal(THIEF, abi.encodeCall(gateway.acceptOwnership, ()));
    }

    /// @dev With an account that it has got into a role.
    function thiefUsesItsRole(uint8 which, uint256 amount) external {
        address asset = _assets()[which % 3];
        if (stolen == Key.None) return;
        _steal(THIEF, abi.encodeCall(gateway.pay, (_newId(), asset, THIEF, bound(amount, 1, 1_000))));
        _steal(THIEF, abi.encodeCall(gateway.pause, ()));
    }

    function thiefPauses() external {
        if (stolen == Key.Guardian) _steal(guardian, abi.encodeCall(gateway.pause, ()));
    }

    // After the service has ended.

    /// @dev Two days later, by when the operator has acted on whatever was done, the service ends for good. All claim, and a year later again.
    function settle() external returns (Settled[3] memory result) {
        // For the test alone: it ends everything.
        if (msg.sender != test) return result;
        nextDay();
        nextDay();
        uint256[3] memory held = _balances(address(gateway));
        vm.warp(block.timestamp + DELAY + 1);
        gateway.enterExit();
        (Proof[4] memory proofs,) = _tree(attested, attestedDay);
        uint256[3][MEMBERS] memory got;
        for (uint256 round = 0; round < 2; ++round) {
            _thiefClaims();
            for (uint256 i = 0; i < MEMBERS; ++i) {
                uint256[3] memory before = _balances(members[i]);
                _call(stranger, 0, abi.encodeCall(gateway.claim, (proofs[i].leaf, proofs[i].salt, proofs[i].path)));
                for (uint256 j = 0; j < 3; ++j) {
                    got[i][j] += _balance(_assets()[j], members[i]) - before[j];
                }
            }
            vm.warp(block.timestamp + 365 days);
        }
        for (uint256 j = 0; j < 3; ++j) {
            (result[j].held, result[j].remains) = (held[j], _balances(address(gateway))[j]);
            for (uint256 i = 0; i < MEMBERS; ++i) {
                result[j].due += attested[i][j];
                result[j].got += got[i][j];
                uint256 lacks = attested[i][j] - got[i][j];
                if (lacks > result[j].mostLacking) result[j].mostLacking = lacks;
            }
        }
    }

    function _thiefClaims() private {
        (Proof[4] memory proofs,) = _tree(_thiefsLeaves(MUCH), gateway.lastAttestation().day);
        bytes memory call = abi.encodeCall(gateway.claim, (proofs[3].leaf, proofs[3].salt, proofs[3].path));
        _steal(THIEF, call);
    }

    function _operate() private {
        if (stolen == Key.None) return;
        if (replacedAt == 0) {
            replacedAt = block.timestamp;
            if (stolen == Key.Payer) _asOwner(abi.encodeCall(gateway.switchToStandby, (IGatewayControl.Role.Payer)));
            if (stolen == Key.Attester) {
                _asOwner(abi.encodeCall(gateway.switchToStandby, (IGatewayControl.Role.Attester)));
            }
            if (stolen == Key.Guardian) _asOwner(abi.encodeCall(gateway.setGuardian, (friend)));
        }
        if (stolen == Key.Owner) _takeBack();
        else if (gateway.paused()) _asOwner(abi.encodeCall(gateway.unpause, ()));
    }

    function _asOwner(bytes memory data) private {
        vm.assertTrue(_call(owner, 0, data), "the runbook's command works");
    }

    /// @dev Takes back what the thief of the owner's key has announced; both have the key.
    function _takeBack() private {
        for (uint256 i = 0; i < 3; ++i) {
            address asset = _assets()[i];
            if (gateway.announcedTaking(asset).amount != 0) {
                _asOwner(abi.encodeCall(gateway.announceTaking, (asset, owner, 0)));
            }
            if (gateway.announcedRaise(asset).from != 0) {
                _asOwner(abi.encodeCall(gateway.lowerCap, (asset, gateway.dailyCap(asset))));
            }
        }
        for (uint256 i = 0; i < 2; ++i) {
            IGatewayControl.Role role = IGatewayControl.Role(i);
            if (gateway.standby(role).account == THIEF) {
                _asOwner(abi.encodeCall(gateway.nameStandby, (role, address(0))));
            }
        }
        if (gateway.pendingOwner() != address(0)) _asOwner(abi.encodeCall(gateway.transferOwnership, (address(0))));
    }

    /// @dev The honest operator has the attester's key, or that of the standby which has become the attester.
    function _attestHonestly() private {
        if (block.timestamp / 1 days <= gateway.lastAttestation().day) return;
        (, SumTree.Node memory root) = _tree(owed, _today());
        address by = gateway.attester() == attester ? attester : standbyAttester;
        bytes memory call =
            abi.encodeCall(gateway.attest, (_today(), root.hash, root.sums, address(hash), 4, block.number - 1, 7));
        if (!_call(by, 0, call)) {
            couldNotAttest = true;
            return;
        }
        (attested, attestedDay, attestedAt) = (owed, _today(), block.timestamp);
    }

    function _ownerActs(uint8 act, address asset, IGatewayControl.Role role, uint256 amount) private {
        bytes[13] memory acts = [
            abi.encodeCall(gateway.nameStandby, (role, THIEF)),
            abi.encodeCall(gateway.switchToStandby, (role)),
            abi.encodeCall(gateway.announceRaise, (asset, amount)),
            abi.encodeCall(gateway.raiseCap, (asset)),
            abi.encodeCall(gateway.announceTaking, (asset, THIEF, amount)),
            abi.encodeCall(gateway.take, (asset)),
            abi.encodeCall(gateway.transferOwnership, (THIEF)),
            abi.encodeCall(gateway.setGuardian, (THIEF)),
            abi.encodeCall(gateway.setSubcoin, (router)),
            abi.encodeCall(gateway.setSwapRouter, (address(usdt))),
            abi.encodeCall(gateway.removePayer, ()),
            abi.encodeCall(gateway.lowerCap, (asset, amount)),
            gateway.paused() ? abi.encodeCall(gateway.unpause, ()) : abi.encodeCall(gateway.pause, ())
        ];
        _steal(owner, acts[act % 13]);
    }

    /// @dev One call by the thief, and what it has gained by it.
    function _steal(address caller, bytes memory data) private {
        uint256[3] memory before = _balances(THIEF);
        if (_call(caller, 0, data)) ++thefts[stolen];
        for (uint256 i = 0; i < 3; ++i) {
            address asset = _assets()[i];
            taken[asset] += _balance(asset, THIEF) - before[i];
        }
    }

    /// @dev The last leaf is padding in the honest trees, and the thief's own in these.
    function _thiefsLeaves(uint128 much) private pure returns (uint128[3][4] memory leaves) {
        leaves[3] = [much, much, much];
    }

    function _balances(address account) private view returns (uint256[3] memory held) {
        for (uint256 i = 0; i < 3; ++i) {
            held[i] = _balance(_assets()[i], account);
        }
    }

    function _newId() private returns (bytes32) {
        return bytes32(nextId++);
    }

    function _call(address caller, uint256 value, bytes memory data) private returns (bool done) {
        vm.prank(caller);
        (done,) = address(gateway).call{value: value}(data);
        if (done) ++successes[bytes4(data)];
    }
}
