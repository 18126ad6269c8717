// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IPaymentGateway} from "../../src/IPaymentGateway.sol";
import {PaymentGateway} from "../../src/PaymentGateway.sol";
import {StablecoinToken} from "../../src/dev/StablecoinToken.sol";
import {Vm, bound, vm} from "../base/Vm.sol";

/// @notice Calls the gateway with random actions. A model that is independent of the contract computes whether each one must
/// succeed; what came in and went out is taken from the events only.
contract GatewayHandler {
    struct World {
        PaymentGateway gateway;
        address owner;
        address payer;
        address guardian;
        StablecoinToken usdt;
        StablecoinToken firstSubcoin;
        StablecoinToken secondSubcoin;
    }

    /// @dev Amounts, caps and ids are drawn from small ranges, so that limits are reached often.
    uint256 private constant MOST = 1_000;
    uint256 private constant MOST_OUT = 300;
    uint256 private constant MOST_CAP = 800;
    uint256 public constant IDS = 64;
    bytes32 private constant RECEIPT = keccak256("TransactionDetails(address[],uint256[],string,address[])");
    bytes32 private constant PAID = keccak256("Paid(bytes32,address,address,uint256)");

    PaymentGateway private immutable gateway;
    address private immutable owner;
    address private immutable payer;
    address private immutable guardian;
    address[4] public assets;
    string[5] private keys = ["buyPower", "deposit", "revenue", "repay", "withdraw"];
    address[3] public actors = [address(0xAC701), address(0xAC702), address(0xAC703)];

    // The model.
    address private subcoin;
    bool private paused;
    mapping(address asset => uint256) private cap;
    // The part of the cap that was used at that time; it comes back evenly, all of the cap in a day.
    mapping(address asset => uint256) private usedThen;
    mapping(address asset => uint256) private usedAt;
    mapping(address asset => uint256) private announcedCap;
    mapping(address asset => uint256) private announcedAt;
    mapping(address asset => uint256) public highestCap;
    uint256 public immutable beganAt;
    mapping(address actor => mapping(address asset => uint256)) public allowed;
    // From the events.
    mapping(address asset => uint256) public cameIn;
    mapping(address asset => uint256) public wentOut;
    mapping(bytes32 id => uint256) public paymentsOf;
    // How often each action succeeded, so that a test can show that not all actions are refused.
    mapping(bytes4 action => uint256) public successes;
    uint256 public refusals;
    // Payments that nothing but the cap of that moment stood against, and caps that were lowered below what was used.
    uint256 public refusedByCap;
    uint256 public loweredBelowTheUsed;

    constructor(World memory world) {
        (gateway, owner, payer, guardian) = (world.gateway, world.owner, world.payer, world.guardian);
        beganAt = block.timestamp;
        subcoin = address(world.firstSubcoin);
        assets = [address(0), address(world.usdt), subcoin, address(world.secondSubcoin)];
        for (uint256 i = 0; i < assets.length; ++i) {
            highestCap[assets[i]] = cap[assets[i]] = gateway.dailyCap(assets[i]);
            usedAt[assets[i]] = block.timestamp;
        }
    }

    /// @dev `slip` sometimes makes the value wrong by one, or leaves out the customer; the customer is often not the
    /// payer.
    function recharge(uint8 who, uint8 key, uint8 which, uint256 amount, uint8 slip) external {
        (address actor, address asset) = (actors[who % 3], assets[which % 4]);
        amount = bound(amount, 0, MOST);
        uint256 value = (asset == address(0) ? amount : 0) + (slip % 8 == 0 ? 1 : 0);
        if (value > actor.balance) return;
        bool expected = slip % 8 > 1 && key % 5 != 4 && amount != 0 && _collectable(actor, asset, amount);
        bytes memory data = abi.encode(amount, asset, slip % 8 == 1 ? address(0) : actors[slip % 3], "ref");
        bytes memory call = abi.encodeCall(gateway.recharge, (keys[key % 5], data));
        if (_call(actor, value, call, expected) && asset != address(0)) allowed[actor][asset] -= amount;
    }

    function send(uint8 who, uint256 amount) external {
        address actor = actors[who % 3];
        amount = bound(amount, 0, MOST);
        if (amount <= actor.balance) _call(actor, amount, "", amount != 0);
    }

    function approve(uint8 who, uint8 which, uint256 amount) external {
        (address actor, address asset) = (actors[who % 3], assets[1 + which % 3]);
        amount = bound(amount, 0, 4 * MOST);
        vm.prank(actor);
        StablecoinToken(asset).approve(address(gateway), amount);
        allowed[actor][asset] = amount;
    }

    function pay(uint8 who, uint8 id, uint8 which, uint8 to, uint256 amount) external {
        IPaymentGateway.Payment memory payment = _payment(id, which, to, amount);
        address caller = _caller(who);
        bytes memory call = abi.encodeCall(gateway.pay, (payment.id, payment.asset, payment.to, payment.amount));
        bool expected = caller == payer && !paused && _count(payment);
        _call(caller, 0, call, expected);
    }

    function payBatch(uint8 who, uint8[3] calldata ids, uint8[3] calldata which, uint256[3] calldata amounts) external {
        IPaymentGateway.Payment[] memory payments = new IPaymentGateway.Payment[](3);
        address caller = _caller(who);
        bool expected = caller == payer && !paused;
        // All or none: by the model each must be payable after the ones before it, each in its own asset.
        for (uint256 i = 0; i < 3; ++i) {
            payments[i] = _payment(ids[i], which[0] % 4 + uint8(i), which[i], amounts[i]);
            expected = expected && _payable(payments[i]);
            for (uint256 j = 0; j < i; ++j) {
                expected = expected && payments[j].id != payments[i].id;
            }
        }
        if (expected) {
            for (uint256 i = 0; i < 3; ++i) {
                _count(payments[i]);
            }
        }
        _call(caller, 0, abi.encodeCall(gateway.payBatch, (payments)), expected);
    }

    function lowerCap(uint8 who, uint8 which, uint256 newCap) external {
        address asset = assets[which % 4];
        newCap = bound(newCap, 0, MOST_CAP);
        bool expected = _ownerOr(who) == owner && newCap <= cap[asset];
        if (!_call(_ownerOr(who), 0, abi.encodeCall(gateway.lowerCap, (asset, newCap)), expected)) return;
        if (_used(asset) > newCap) ++loweredBelowTheUsed;
        _setCap(asset, newCap);
        announcedAt[asset] = 0;
    }

    function announceRaise(uint8 who, uint8 which, uint256 newCap) external {
        address asset = assets[which % 4];
        newCap = bound(newCap, 0, MOST_CAP);
        bool isOwner = _ownerOr(who) == owner;
        if (!_call(_ownerOr(who), 0, abi.encodeCall(gateway.announceRaise, (asset, newCap)), isOwner)) return;
        (announcedCap[asset], announcedAt[asset]) = (newCap, block.timestamp);
    }

    function raiseCap(uint8 who, uint8 which) external {
        address asset = assets[which % 4];
        bool isOver = announcedAt[asset] != 0 && block.timestamp >= announcedAt[asset] + 7 days;
        bool expected = _ownerOr(who) == owner && isOver;
        if (!_call(_ownerOr(who), 0, abi.encodeCall(gateway.raiseCap, (asset)), expected)) return;
        _setCap(asset, announcedCap[asset]);
        announcedAt[asset] = 0;
    }

    function setSubcoin(uint8 who, uint8 which) external {
        address next = assets[2 + which % 2];
        bool isOwner = _ownerOr(who) == owner;
        if (_call(_ownerOr(who), 0, abi.encodeCall(gateway.setSubcoin, (next)), isOwner)) subcoin = next;
    }

    /// @dev Unpauses three times as often, so that payments get made.
    function pauseOrNot(uint8 who, uint8 which) external {
        bool pausing = which % 4 == 0;
        address caller = who % 4 == 0 ? payer : who % 4 == 1 ? guardian : owner;
        bytes memory call = pausing ? abi.encodeCall(gateway.pause, ()) : abi.encodeCall(gateway.unpause, ());
        bool expected = pausing ? caller != payer && !paused : caller == owner && paused;
        if (_call(caller, 0, call, expected)) paused = pausing;
    }

    function wait(uint32 time) external {
        vm.warp(block.timestamp + bound(time, 1, 3 days));
    }

    /// @dev The model's result for a recharge with valid input.
    function _collectable(address actor, address asset, uint256 amount) private view returns (bool) {
        if (asset == address(0)) return true;
        return (asset == assets[1] || asset == subcoin) && allowed[actor][asset] >= amount
            && StablecoinToken(asset).balanceOf(actor) >= amount;
    }

    /// @dev The model's result for a payment by the payer while nothing is paused.
    function _payable(IPaymentGateway.Payment memory payment) private view returns (bool) {
        uint256 funds = payment.asset == address(0)
            ? address(gateway).balance
            : StablecoinToken(payment.asset).balanceOf(address(gateway));
        return _payableButForTheCap(payment, funds) && _used(payment.asset) + payment.amount <= cap[payment.asset];
    }

    function _payableButForTheCap(IPaymentGateway.Payment memory payment, uint256 funds) private view returns (bool) {
        return payment.id != 0 && paymentsOf[payment.id] == 0 && payment.amount != 0 && payment.to != address(0)
            && payment.to != address(gateway) && payment.amount <= funds;
    }

    function _count(IPaymentGateway.Payment memory payment) private returns (bool payable_) {
        payable_ = _payable(payment);
        if (!payable_ && _payableButForTheCap(payment, type(uint256).max)) ++refusedByCap;
        if (!payable_) return false;
        usedThen[payment.asset] = _used(payment.asset) + payment.amount;
        usedAt[payment.asset] = block.timestamp;
    }

    function _setCap(address asset, uint256 newCap) private {
        (usedThen[asset], usedAt[asset]) = (_used(asset), block.timestamp);
        cap[asset] = newCap;
        if (newCap > highestCap[asset]) highestCap[asset] = newCap;
    }

    function _used(address asset) private view returns (uint256) {
        uint256 back = cap[asset] * (block.timestamp - usedAt[asset]) / 86_400;
        return back > usedThen[asset] ? 0 : usedThen[asset] - back;
    }

    function _payment(uint8 id, uint8 which, uint8 to, uint256 amount)
        private
        view
        returns (IPaymentGateway.Payment memory)
    {
        address[5] memory people = [actors[0], actors[1], actors[2], address(0), address(gateway)];
        address recipient = people[to % 16 < 5 ? to % 16 : 0];
        return
            IPaymentGateway.Payment(
                bytes32(uint256(id % IDS)), assets[which % 4], recipient, bound(amount, 0, MOST_OUT)
            );
    }

    /// @dev Mostly the payer.
    function _caller(uint8 who) private view returns (address) {
        if (who % 8 == 0) return actors[0];
        return who % 8 == 1 ? owner : payer;
    }

    function _ownerOr(uint8 who) private view returns (address) {
        return who % 4 == 0 ? payer : owner;
    }

    /// @dev One call to the gateway: it must succeed exactly when the model says so, and its events are recorded.
    function _call(address caller, uint256 value, bytes memory data, bool expected) private returns (bool done) {
        vm.recordLogs();
        vm.prank(caller);
        (done,) = address(gateway).call{value: value}(data);
        vm.assertEq(done, expected, "the call does what the model says");
        if (!done) {
            ++refusals;
            return false;
        }
        ++successes[bytes4(data)];
        Vm.Log[] memory logs = vm.getRecordedLogs();
        for (uint256 i = 0; i < logs.length; ++i) {
            if (logs[i].emitter == address(gateway)) _writeDown(logs[i]);
        }
    }

    function _writeDown(Vm.Log memory log) private {
        if (log.topics[0] == RECEIPT) {
            (address[] memory tokens, uint256[] memory amounts,, address[] memory people) =
                abi.decode(log.data, (address[], uint256[], string, address[]));
            vm.assertEq(log.topics.length, 1, "nothing is indexed");
            vm.assertEq(tokens.length + amounts.length + people.length, 4, "one asset, one amount, two people");
            cameIn[tokens[0]] += amounts[0];
        } else if (log.topics[0] == PAID) {
            (address asset,, uint256 amount) = abi.decode(log.data, (address, address, uint256));
            wentOut[asset] += amount;
            ++paymentsOf[log.topics[1]];
        }
    }
}
