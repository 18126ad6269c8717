// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IGatewayControl} from "../../src/IGatewayControl.sol";
import {IPaymentGateway} from "../../src/IPaymentGateway.sol";
import {StablecoinToken} from "../../src/dev/StablecoinToken.sol";
import {GatewayTest} from "../base/GatewayTest.sol";
import {bound, vm} from "../base/Vm.sol";
import {
    HungryRecipient,
    LedgerRecipient,
    ReentrantPayer,
    RefusingRecipient,
    ReturnBombRecipient
} from "../mocks/Recipients.sol";
import {
    BonusToken,
    FalseAfterMoveToken,
    FalseReturnToken,
    FeeToken,
    NoReturnToken,
    RebasingToken,
    ReentrantToken,
    SurchargeToken
} from "../mocks/WeirdTokens.sol";
import {IERC20Errors} from "@openzeppelin/contracts/interfaces/draft-IERC6093.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {Pausable} from "@openzeppelin/contracts/utils/Pausable.sol";
import {ReentrancyGuard} from "@openzeppelin/contracts/utils/ReentrancyGuard.sol";

contract PayTest is GatewayTest {
    event Paid(bytes32 indexed id, address asset, address to, uint256 amount);

    bytes32 private constant ID = keccak256("withdrawal 1");
    bytes32 private constant OTHER_ID = keccak256("withdrawal 2");

    function setUp() public override {
        super.setUp();
        _fund(NATIVE, 10 * CAP);
        _fund(address(usdt), 10 * CAP);
        _fund(address(hash), 10 * CAP);
    }

    function testFuzz_RevertWhen_CallerIsNotPayer(address caller) public {
        vm.assume(caller != payer);
        address[2] memory callers = [caller, owner];
        for (uint256 i = 0; i < callers.length; ++i) {
            vm.expectRevert(abi.encodeWithSelector(IGatewayControl.NotPayer.selector, callers[i]));
            vm.prank(callers[i]);
            gateway.pay(ID, NATIVE, friend, 1);
        }
    }

    function test_RevertWhen_NobodyIsPayer() public {
        vm.prank(owner);
        gateway.removePayer();
        vm.expectRevert(abi.encodeWithSelector(IGatewayControl.NotPayer.selector, payer));
        _pay(ID, NATIVE, friend, 1);
    }

    function test_RevertWhen_Paused() public {
        vm.prank(owner);
        gateway.pause();
        vm.expectRevert(Pausable.EnforcedPause.selector);
        _pay(ID, NATIVE, friend, 1);
        vm.prank(owner);
        gateway.unpause();
        _pay(ID, NATIVE, friend, 1);
    }

    function test_RevertWhen_IdIsZero() public {
        vm.expectRevert(IPaymentGateway.ZeroId.selector);
        _pay(bytes32(0), NATIVE, friend, 1);
    }

    function testFuzz_RevertWhen_IdIsUsed(bytes32 id, uint256 amount, address to, bool isNative) public {
        vm.assume(id != bytes32(0) && to != address(0) && to != address(gateway));
        _pay(id, address(usdt), friend, 1);
        vm.assertTrue(gateway.isPaid(id), "the id is marked");
        vm.expectRevert(abi.encodeWithSelector(IPaymentGateway.AlreadyPaid.selector, id));
        _pay(id, isNative ? NATIVE : address(usdt), to, bound(amount, 1, CAP - 1));
        vm.assertEq(usdt.balanceOf(friend), 1, "it was paid once");
    }

    function test_RevertWhen_IdWasUsedLongAgo() public {
        _pay(ID, address(usdt), friend, 1);
        vm.warp(block.timestamp + 5 * 365 days);
        vm.expectRevert(abi.encodeWithSelector(IPaymentGateway.AlreadyPaid.selector, ID));
        _pay(ID, address(usdt), friend, 1);
    }

    function test_RevertWhen_AmountIsZero() public {
        vm.expectRevert(IPaymentGateway.ZeroAmount.selector);
        _pay(ID, NATIVE, friend, 0);
        vm.assertTrue(!gateway.isPaid(ID), "the id stays free");
    }

    function test_RevertWhen_RecipientIsBad() public {
        address[2] memory bad = [address(0), address(gateway)];
        address[2] memory assets = [NATIVE, address(usdt)];
        for (uint256 i = 0; i < 4; ++i) {
            vm.expectRevert(abi.encodeWithSelector(IPaymentGateway.BadRecipient.selector, bad[i % 2]));
            _pay(ID, assets[i / 2], bad[i % 2], 1);
        }
    }

    function testFuzz_RevertWhen_CapIsExceeded(uint256 first, uint256 excess) public {
        first = bound(first, 1, CAP);
        _pay(ID, address(usdt), friend, first);
        uint256 left = CAP - first;
        vm.assertEq(gateway.leftOfCap(address(usdt)), left, "the cap leaves the rest");
        excess = bound(excess, 1, CAP);
        vm.expectRevert(
            abi.encodeWithSelector(IGatewayControl.DailyCapExceeded.selector, address(usdt), left + excess, left)
        );
        _pay(OTHER_ID, address(usdt), friend, left + excess);
        vm.assertTrue(!gateway.isPaid(OTHER_ID), "the id stays free");
        if (left != 0) _pay(OTHER_ID, address(usdt), friend, left);
        vm.assertEq(gateway.leftOfCap(address(usdt)), 0, "the cap can be used to the last unit");
    }

    function test_RevertWhen_AssetHasNoCap() public {
        StablecoinToken other = new StablecoinToken("Other", "OTH", SUPPLY, address(gateway));
        vm.expectRevert(abi.encodeWithSelector(IGatewayControl.DailyCapExceeded.selector, other, 1, 0));
        _pay(ID, address(other), friend, 1);
    }

    function test_RevertWhen_AmountIsHuge() public {
        _pay(ID, address(usdt), friend, 1);
        vm.expectRevert(
            abi.encodeWithSelector(IGatewayControl.DailyCapExceeded.selector, address(usdt), type(uint256).max, CAP - 1)
        );
        _pay(OTHER_ID, address(usdt), friend, type(uint256).max);
    }

    function test_RevertWhen_CapFellBelowWhatWasPaid() public {
        _pay(ID, address(usdt), friend, 100);
        vm.prank(owner);
        gateway.lowerCap(address(usdt), 99);
        vm.assertEq(gateway.leftOfCap(address(usdt)), 0, "nothing is left");
        vm.expectRevert(abi.encodeWithSelector(IGatewayControl.DailyCapExceeded.selector, address(usdt), 1, 0));
        _pay(OTHER_ID, address(usdt), friend, 1);
    }

    function test_CapsAreApart() public {
        _pay(ID, address(usdt), friend, CAP);
        vm.assertEq(gateway.leftOfCap(address(hash)), CAP, "HASH is untouched");
        _pay(OTHER_ID, address(hash), friend, CAP);
        vm.assertEq(gateway.leftOfCap(NATIVE), CAP, "the native currency is untouched");
    }

    function testFuzz_WhatWasUsedComesBackEvenly(uint256 amount, uint256 time) public {
        (amount, time) = (bound(amount, 1, CAP), bound(time, 0, 2 days));
        _pay(ID, NATIVE, friend, amount);
        vm.warp(block.timestamp + time);
        uint256 back = CAP * time / 1 days;
        uint256 left = back < amount ? CAP - amount + back : CAP;
        vm.assertEq(gateway.leftOfCap(NATIVE), left, "as much of a day's cap as of a day has gone by");
        vm.expectRevert(abi.encodeWithSelector(IGatewayControl.DailyCapExceeded.selector, NATIVE, left + 1, left));
        _pay(OTHER_ID, NATIVE, friend, left + 1);
        if (left != 0) _pay(OTHER_ID, NATIVE, friend, left);
        vm.assertEq(gateway.leftOfCap(NATIVE), 0, "all of it can be paid");
    }

    function test_NothingIsDoubledAtMidnight() public {
        uint256 midnight = (block.timestamp / 86_400 + 1) * 86_400;
        vm.warp(midnight - 1);
        _pay(ID, NATIVE, friend, CAP);
        vm.warp(midnight + 1);
        vm.assertEq(gateway.leftOfCap(NATIVE), CAP * 2 / 1 days, "two seconds have gone by");
    }

    function testFuzz_InSoMuchTimeTheCapAndItsPart(uint32[8] calldata waits, uint256[8] calldata amounts) public {
        uint256 begin = block.timestamp;
        uint256 total = 0;
        for (uint256 i = 0; i < 8; ++i) {
            vm.warp(block.timestamp + waits[i] % 1 days);
            uint256 amount = bound(amounts[i], 1, CAP);
            if (amount > gateway.leftOfCap(address(usdt))) amount = gateway.leftOfCap(address(usdt));
            if (amount == 0) continue;
            _pay(bytes32(i + 1), address(usdt), friend, amount);
            total += amount;
        }
        vm.assertLe(total, CAP + CAP * (block.timestamp - begin) / 1 days, "no order of payments gives more");
    }

    function test_RevertWhen_NativeBalanceIsTooSmall() public {
        vm.deal(address(gateway), 4);
        vm.expectRevert(abi.encodeWithSelector(IPaymentGateway.NativePaymentFailed.selector, ID, friend, 5));
        _pay(ID, NATIVE, friend, 5);
        vm.assertTrue(!gateway.isPaid(ID), "the id stays free");
        vm.assertEq(gateway.leftOfCap(NATIVE), CAP, "and the cap unused");
    }

    function test_RevertWhen_RecipientRefuses() public {
        address wallet = address(new RefusingRecipient());
        vm.expectRevert(abi.encodeWithSelector(IPaymentGateway.NativePaymentFailed.selector, ID, wallet, 5));
        _pay(ID, NATIVE, wallet, 5);
    }

    function test_RevertWhen_RecipientBurnsGas() public {
        address wallet = address(new HungryRecipient());
        uint256 before = gasleft();
        vm.expectRevert(abi.encodeWithSelector(IPaymentGateway.NativePaymentFailed.selector, ID, wallet, 5));
        _pay(ID, NATIVE, wallet, 5);
        vm.assertLt(before - gasleft(), 250_000, "the payer's loss is bounded");
    }

    function test_ReturnBombIsHarmless() public {
        address wallet = address(new ReturnBombRecipient());
        uint256 before = gasleft();
        _pay(ID, NATIVE, wallet, 5);
        vm.assertLt(before - gasleft(), 250_000, "the payer does not pay for a copy");
        vm.assertEq(wallet.balance, 5, "and the recipient is paid");
    }

    function test_ReentrantPayIsRefused() public {
        ReentrantPayer wallet = new ReentrantPayer(gateway);
        _switch(IGatewayControl.Role.Payer, address(wallet));
        wallet.start(ID, 5);
        vm.assertEq(wallet.refusal(), ReentrancyGuard.ReentrancyGuardReentrantCall.selector, "refused from inside");
        vm.assertEq(address(wallet).balance, 5, "paid once");
    }

    function test_ReentrantBatchIsRefused() public {
        ReentrantPayer wallet = new ReentrantPayer(gateway);
        _switch(IGatewayControl.Role.Payer, address(wallet));
        IPaymentGateway.Payment[] memory payments = new IPaymentGateway.Payment[](1);
        payments[0] = IPaymentGateway.Payment(ID, NATIVE, address(wallet), 5);
        wallet.startBatch(payments);
        vm.assertEq(wallet.refusal(), ReentrancyGuard.ReentrancyGuardReentrantCall.selector, "refused from inside");
        vm.assertEq(address(wallet).balance, 5, "paid once");
    }

    function testFuzz_NativeIsPaid(uint256 amount) public {
        amount = bound(amount, 1, CAP);
        vm.expectEmit(true, true, true, true, address(gateway));
        emit Paid(ID, NATIVE, friend, amount);
        _pay(ID, NATIVE, friend, amount);
        _assertPaid(NATIVE, amount);
    }

    function test_ContractWalletIsPaid() public {
        LedgerRecipient wallet = new LedgerRecipient();
        _pay(ID, NATIVE, address(wallet), 5);
        _pay(OTHER_ID, NATIVE, address(wallet), 6);
        vm.assertEq(wallet.received(1), 6, "the wallet wrote both down");
    }

    function test_RevertWhen_TokenBalanceIsTooSmall() public {
        StablecoinToken poor = new StablecoinToken("Poor", "POO", 4, address(gateway));
        _cap(address(poor));
        vm.expectRevert(abi.encodeWithSelector(IERC20Errors.ERC20InsufficientBalance.selector, address(gateway), 4, 5));
        _pay(ID, address(poor), friend, 5);
    }

    function test_RevertWhen_TokenKeepsAFee() public {
        _expectMoved(address(new FeeToken(address(gateway))), 990);
    }

    function test_RevertWhen_TokenChargesMore() public {
        _expectMoved(address(new SurchargeToken(address(gateway))), 1_001);
    }

    function test_RevertWhen_TokenPaysTooMuch() public {
        _expectMoved(address(new BonusToken(address(gateway))), 1_001);
    }

    function test_RevertWhen_TokenRebases() public {
        // 1,000 are 428.57 shares: 428 move, worth 998.67. The gateway's rest rounds up, the recipient's rounds down.
        _expectMoved(address(new RebasingToken(address(gateway))), 999);
    }

    function test_RevertWhen_TokenReturnsFalse() public {
        _expectFalse(address(new FalseReturnToken(address(gateway))));
    }

    function test_RevertWhen_TokenReturnsFalseAfterMoving() public {
        _expectFalse(address(new FalseAfterMoveToken(address(gateway))));
    }

    function test_TokenThatReturnsNothing() public {
        NoReturnToken weird = new NoReturnToken(address(gateway));
        _cap(address(weird));
        _pay(ID, address(weird), friend, 1_000);
        vm.assertEq(weird.balanceOf(friend), 1_000, "paid");
    }

    function test_RevertWhen_TokenReenters() public {
        ReentrantToken weird = new ReentrantToken(address(gateway));
        _cap(address(weird));
        _switch(IGatewayControl.Role.Payer, address(weird));
        weird.arm(address(gateway), abi.encodeCall(gateway.pay, (OTHER_ID, NATIVE, friend, 1)), 0);
        vm.expectRevert(ReentrancyGuard.ReentrancyGuardReentrantCall.selector);
        vm.prank(address(weird));
        gateway.pay(ID, address(weird), friend, 1_000);
    }

    function testFuzz_TokenIsPaid(uint256 amount, bool isSubcoin) public {
        amount = bound(amount, 1, CAP);
        address asset = isSubcoin ? address(hash) : address(usdt);
        vm.expectEmit(true, true, true, true, address(gateway));
        emit Paid(ID, asset, friend, amount);
        _pay(ID, asset, friend, amount);
        _assertPaid(asset, amount);
    }

    function test_FormerSubcoinIsPaid() public {
        StablecoinToken next = new StablecoinToken("Next", "NXT", SUPPLY, customer);
        vm.prank(owner);
        gateway.setSubcoin(address(next));
        _pay(ID, address(hash), friend, 5);
        vm.assertEq(hash.balanceOf(friend), 5, "its money does not get stuck");
    }

    function _pay(bytes32 id, address asset, address to, uint256 amount) private {
        vm.prank(payer);
        gateway.pay(id, asset, to, amount);
    }

    function _cap(address asset) private {
        _raise(asset, CAP);
    }

    function _expectMoved(address weird, uint256 measured) private {
        _cap(weird);
        vm.expectRevert(abi.encodeWithSelector(IPaymentGateway.WrongAmountMoved.selector, weird, 1_000, measured));
        _pay(ID, weird, friend, 1_000);
        vm.assertTrue(!gateway.isPaid(ID), "the id stays free");
    }

    function _expectFalse(address weird) private {
        _cap(weird);
        vm.expectRevert(abi.encodeWithSelector(SafeERC20.SafeERC20FailedOperation.selector, weird));
        _pay(ID, weird, friend, 1_000);
    }

    function _assertPaid(address asset, uint256 amount) private view {
        vm.assertTrue(gateway.isPaid(ID), "the id is used");
        vm.assertEq(_balance(asset, friend), amount, "the recipient has the amount");
        vm.assertEq(_balance(asset, address(gateway)), 10 * CAP - amount, "the gateway gave the amount");
        vm.assertEq(gateway.leftOfCap(asset), CAP - amount, "the cap counts it");
    }
}
