// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {PaymentGateway} from "../../src/PaymentGateway.sol";
import {SumTree} from "../../src/SumTree.sol";
import {StablecoinToken} from "../../src/dev/StablecoinToken.sol";
import {ProofTest} from "../base/ProofTest.sol";
import {bound, vm} from "../base/Vm.sol";

/// @notice Attests, pays, takes, exits and claims at random, and keeps what a model that knows only the rules would keep.
contract ExitHandler is ProofTest {
    uint256 private attestedDay;
    uint128[3][4] private owed;
    uint256 private nextId = 1;
    // Since the attested block, by asset and member.
    mapping(address asset => mapping(address member => uint256)) public paidSince;
    mapping(address asset => mapping(address member => uint256)) public claimed;
    mapping(address asset => mapping(address member => mapping(bool isAgain => bool))) private claims;
    mapping(address asset => uint256) public claimedFirst;
    mapping(address asset => uint256) public forcedAfterExit;
    uint256 public claimsAgain;
    mapping(address asset => uint256) public balance;
    mapping(address asset => uint256) public paidAfterExit;
    mapping(address asset => uint256) public claimedInAll;
    mapping(address asset => uint256) public taken;
    // Each is true once its rule was broken.
    bool public tookTooMuch;
    bool public paidOverTheCap;
    bool public paidTwice;
    mapping(bytes4 action => uint256) public successes;

    constructor(PaymentGateway gateway_, address[2] memory tokens) {
        gateway = gateway_;
        (usdt, hash) = (StablecoinToken(tokens[0]), StablecoinToken(tokens[1]));
    }

    /// @dev It works on the gateway of the test.
    function setUp() public override {}

    function deposit(uint8 which, uint256 amount) external {
        address asset = _assets()[which % 3];
        amount = bound(amount, 1, 400);
        bytes memory data = abi.encode(amount, asset, customer, "");
        bytes memory call = abi.encodeCall(gateway.recharge, ("deposit", data));
        if (_call(customer, asset == NATIVE ? amount : 0, call)) balance[asset] += amount;
    }

    function force(uint8 which, uint256 amount) external {
        address asset = _assets()[which % 3];
        amount = bound(amount, 1, 50);
        _fund(asset, amount);
        balance[asset] += amount;
        if (gateway.exitedAt() != 0) forcedAfterExit[asset] += amount;
    }

    function pay(uint8 which, uint8 who, uint256 amount) external {
        (address asset, address member) = (_assets()[which % 3], members[who % 3]);
        amount = bound(amount, 1, 120);
        uint256 left = gateway.leftOfCap(asset);
        bytes memory call = abi.encodeCall(gateway.pay, (bytes32(nextId++), asset, member, amount));
        if (!_call(payer, 0, call)) return;
        if (amount > left) paidOverTheCap = true;
        if (gateway.exitedAt() != 0) paidAfterExit[asset] += amount;
        paidSince[asset][member] += amount;
        balance[asset] -= amount;
    }

    /// @dev As of the block before, in which nothing was paid: payments come in blocks of their own.
    function attest(uint128[3][3] memory amounts) external {
        _nextBlock();
        _nextBlock();
        uint128[3][4] memory next;
        for (uint256 i = 0; i < 9; ++i) {
            next[i / 3][i % 3] = uint128(bound(amounts[i / 3][i % 3], 0, 200));
        }
        (, SumTree.Node memory root) = _tree(next, _today());
        bytes memory call =
            abi.encodeCall(gateway.attest, (_today(), root.hash, root.sums, address(hash), 4, block.number - 1, 7));
        if (!_call(attester, 0, call)) return;
        for (uint256 i = 0; i < 4; ++i) {
            owed[i] = next[i];
        }
        attestedDay = _today();
        for (uint256 i = 0; i < 9; ++i) {
            paidSince[_assets()[i / 3]][members[i % 3]] = 0;
        }
    }

    function announce(uint8 which, uint256 amount) external {
        address asset = _assets()[which % 3];
        _call(owner, 0, abi.encodeCall(gateway.announceTaking, (asset, friend, bound(amount, 0, 300))));
        _nextBlock();
    }

    function take(uint8 which) external {
        uint256 place = which % 3;
        address asset = _assets()[place];
        uint256 amount = gateway.announcedTaking(asset).amount;
        uint256 attested = owed[0][place] + owed[1][place] + owed[2][place];
        if (!_call(owner, 0, abi.encodeCall(gateway.take, (asset)))) return;
        if (attested + amount > balance[asset]) tookTooMuch = true;
        taken[asset] += amount;
        balance[asset] -= amount;
    }

    function enterExit(uint8 who) external {
        _call(members[who % 3], 0, abi.encodeCall(gateway.enterExit, ()));
    }

    /// @dev Sometimes with one base unit too much.
    function claim(uint8 who, uint8 slip) external {
        Proof memory proof = _proof(who % 3);
        if (slip % 8 == 0) proof.leaf.owed[slip % 3] += 1;
        address member = members[who % 3];
        bool isAgain = _isSharedAgain();
        uint256[3] memory before;
        for (uint256 i = 0; i < 3; ++i) {
            before[i] = _balance(_assets()[i], member);
        }
        if (!_call(stranger, 0, abi.encodeCall(gateway.claim, (proof.leaf, proof.salt, proof.path)))) return;
        for (uint256 i = 0; i < 3; ++i) {
            address asset = _assets()[i];
            uint256 got = _balance(asset, member) - before[i];
            if (got != 0 && claims[asset][member][isAgain]) paidTwice = true;
            if (got != 0) claims[asset][member][isAgain] = true;
            if (got != 0 && isAgain) ++claimsAgain;
            if (!isAgain) claimedFirst[asset] += got;
            claimed[asset][member] += got;
            claimedInAll[asset] += got;
            balance[asset] -= got;
        }
    }

    function wait(uint32 time) external {
        _nextBlock();
        vm.warp(block.timestamp + bound(time, 1, 5 days));
    }

    /// @dev Then what is left is shared among those who have claimed.
    function waitAYear() external {
        if (gateway.exitedAt() != 0) vm.warp(block.timestamp + 365 days);
    }

    /// @dev Rare, so that most runs get far before they end in exit mode.
    function waitLong(uint8 luck) external {
        if (luck % 4 != 0) return;
        vm.warp(block.timestamp + DELAY + 1);
    }

    function owedTo(uint256 member, uint256 asset) external view returns (uint256) {
        return owed[member][asset];
    }

    function memberAt(uint256 index) external view returns (address) {
        return members[index];
    }

    function _isSharedAgain() private view returns (bool) {
        return gateway.exitedAt() != 0 && block.timestamp >= gateway.exitedAt() + 365 days;
    }

    function _proof(uint256 index) private view returns (Proof memory) {
        (Proof[4] memory proofs,) = _tree(owed, attestedDay);
        return proofs[index];
    }

    function _call(address caller, uint256 value, bytes memory data) private returns (bool done) {
        vm.prank(caller);
        (done,) = address(gateway).call{value: value}(data);
        if (done) ++successes[bytes4(data)];
    }
}
