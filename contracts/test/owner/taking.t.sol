// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IAttestedGateway} from "../../src/IAttestedGateway.sol";
import {IGatewayControl} from "../../src/IGatewayControl.sol";
import {IPaymentGateway} from "../../src/IPaymentGateway.sol";
import {SumTree} from "../../src/SumTree.sol";
import {StablecoinToken} from "../../src/dev/StablecoinToken.sol";
import {ProofTest} from "../base/ProofTest.sol";
import {bound, vm} from "../base/Vm.sol";
import {RefusingRecipient} from "../mocks/Recipients.sol";
import {ReentrantToken} from "../mocks/WeirdTokens.sol";
import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {ReentrancyGuard} from "@openzeppelin/contracts/utils/ReentrancyGuard.sol";

contract TakingTest is ProofTest {
    event TakingAnnounced(address indexed asset, address to, uint256 amount, uint256 from);
    event Taken(address indexed asset, address to, uint256 amount);

    function setUp() public override {
        super.setUp();
        _fundAll(1_000);
    }

    function testFuzz_RevertWhen_CallerIsNotOwner(address caller) public {
        vm.assume(caller != owner);
        address[4] memory callers = [caller, payer, attester, guardian];
        for (uint256 i = 0; i < 4; ++i) {
            bytes memory refusal = abi.encodeWithSelector(Ownable.OwnableUnauthorizedAccount.selector, callers[i]);
            vm.expectRevert(refusal);
            vm.prank(callers[i]);
            gateway.announceTaking(address(usdt), friend, 1);
            vm.expectRevert(refusal);
            vm.prank(callers[i]);
            gateway.take(address(usdt));
        }
    }

    function test_RevertWhen_RecipientIsBad() public {
        address[2] memory bad = [address(0), address(gateway)];
        for (uint256 i = 0; i < 2; ++i) {
            vm.expectRevert(abi.encodeWithSelector(IPaymentGateway.BadRecipient.selector, bad[i]));
            _announce(address(usdt), bad[i], 1);
        }
    }

    function test_RevertWhen_InExit() public {
        _announce(address(usdt), friend, 1);
        _nextBlock();
        _nextBlock();
        _attest(_plain());
        _exit();
        vm.expectRevert(IAttestedGateway.InExit.selector);
        _announce(address(usdt), friend, 1);
        vm.expectRevert(IAttestedGateway.InExit.selector);
        _take(address(usdt));
    }

    function test_IsAnnounced() public {
        vm.expectEmit(true, true, true, true, address(gateway));
        emit TakingAnnounced(NATIVE, friend, 5, block.timestamp + 7 days);
        _announce(NATIVE, friend, 5);
        IAttestedGateway.Taking memory taking = gateway.announcedTaking(NATIVE);
        vm.assertEq(taking.to, friend, "recipient");
        vm.assertEq(taking.amount, 5, "amount");
        vm.assertEq(taking.stillHeld, 1_000, "held");
        vm.assertEq(taking.announcedAt, block.timestamp, "time");
    }

    function test_ANewOneReplacesIt() public {
        _announce(address(usdt), friend, 5);
        vm.warp(block.timestamp + 6 days);
        uint256 again = block.timestamp;
        _announce(address(usdt), stranger, 6);
        _attestAfter(5 days);
        vm.expectRevert(abi.encodeWithSelector(IGatewayControl.TooEarly.selector, again + 7 days));
        _take(address(usdt));
        _attestAfter(2 days);
        _take(address(usdt));
        vm.assertEq(usdt.balanceOf(stranger), 6, "the new terms");
        vm.assertEq(usdt.balanceOf(friend), 0, "not the old ones");
    }

    function test_RevertWhen_NothingIsAnnounced() public {
        _attestAfter(8 days);
        vm.expectRevert(abi.encodeWithSelector(IGatewayControl.NothingAnnounced.selector, address(usdt)));
        _take(address(usdt));
        _announce(address(usdt), friend, 5);
        _announce(address(usdt), friend, 0);
        _attestAfter(8 days);
        vm.expectRevert(abi.encodeWithSelector(IGatewayControl.NothingAnnounced.selector, address(usdt)));
        _take(address(usdt));
    }

    function test_RevertWhen_NoticeIsNotOver() public {
        uint256 from = block.timestamp + 7 days;
        _announce(address(usdt), friend, 5);
        _attestAfter(1 days);
        vm.warp(from - 1);
        vm.expectRevert(abi.encodeWithSelector(IGatewayControl.TooEarly.selector, from));
        _take(address(usdt));
        _attestAfter(1);
        _take(address(usdt));
    }

    function test_RevertWhen_NotAttestedSince() public {
        uint256 from = block.timestamp + 7 days;
        _announce(address(usdt), friend, 5);
        _attestAfter(7 days - 1);
        vm.warp(from + 10 days);
        // Money that was paid in just before the announcement may be in no leaf of a tree that is older than the notice.
        vm.expectRevert(abi.encodeWithSelector(IAttestedGateway.NotAttestedSince.selector, from));
        _take(address(usdt));
        _attestAfter(0);
        _take(address(usdt));
    }

    function testFuzz_RevertWhen_SurplusIsExceeded(uint8 which, uint256 excess) public {
        address asset = _assets()[which % 3];
        excess = bound(excess, 1, 1e30);
        // There are 1,000 held, of which 600 are owed.
        _announce(asset, friend, 400 + excess);
        _attestAfter(8 days);
        vm.expectRevert(abi.encodeWithSelector(IAttestedGateway.ExceedsSurplus.selector, asset, 400 + excess, 400));
        _take(asset);
        _announce(asset, friend, 400);
        _attestAfter(8 days);
        _take(asset);
        vm.assertEq(_balance(asset, friend), 400, "the surplus to the unit");
        vm.assertEq(_balance(asset, address(gateway)), 600, "what is owed stays");
    }

    function test_WhatCameInSinceIsNoSurplus() public {
        _announce(address(usdt), friend, 401);
        _fund(address(usdt), 50);
        _attestAfter(8 days);
        vm.expectRevert(abi.encodeWithSelector(IAttestedGateway.ExceedsSurplus.selector, address(usdt), 401, 400));
        _take(address(usdt));
    }

    function test_WhatWentOutSinceLowersIt() public {
        _announce(address(usdt), friend, 400);
        _pay(address(usdt), stranger, 10);
        _attestAfter(8 days);
        vm.expectRevert(abi.encodeWithSelector(IAttestedGateway.ExceedsSurplus.selector, address(usdt), 400, 390));
        _take(address(usdt));
    }

    /// Money that is paid out and paid in again in between is no surplus: it may be owed without being attested.
    function test_WhatWentOutAndCameInSinceIsNoSurplus() public {
        for (uint256 i = 0; i < 3; ++i) {
            setUp();
            address asset = _assets()[i];
            // There are 1,000 held, of which 900 are owed; 200 are withdrawn, and 200 deposited.
            _announce(asset, friend, 300);
            _pay(asset, stranger, 200);
            _fund(asset, 200);
            uint128[3][4] memory owed = _plain();
            for (uint256 j = 0; j < 3; ++j) {
                owed[2][j] = 400;
            }
            vm.warp(block.timestamp + 7 days);
            vm.roll(block.number + 2);
            _attest(owed);
            vm.expectRevert(abi.encodeWithSelector(IAttestedGateway.ExceedsSurplus.selector, asset, 300, 100));
            _take(asset);
        }
    }

    function test_MoreWentOutThanWasHeld() public {
        _announce(address(usdt), friend, 1);
        for (uint256 i = 0; i < 2; ++i) {
            _nextBlock();
            _fund(address(usdt), 600);
            _pay(address(usdt), stranger, 600);
        }
        vm.assertEq(gateway.announcedTaking(address(usdt)).stillHeld, 0, "nothing of then is left");
        vm.warp(block.timestamp + 7 days);
        vm.roll(block.number + 2);
        uint128[3][4] memory nothing;
        _attest(nothing);
        vm.expectRevert(abi.encodeWithSelector(IAttestedGateway.ExceedsSurplus.selector, address(usdt), 1, 0));
        _take(address(usdt));
    }

    function test_NothingIsLeftWhenMoreIsOwed() public {
        _announce(address(usdt), friend, 1);
        _pay(address(usdt), stranger, 401);
        _attestAfter(8 days);
        vm.expectRevert(abi.encodeWithSelector(IAttestedGateway.ExceedsSurplus.selector, address(usdt), 1, 0));
        _take(address(usdt));
    }

    /// The owner sets the subcoin without a notice: what is owed of the attested one stays.
    function test_AnotherSubcoinFreesNothing() public {
        _attest(_plain());
        address next = address(new StablecoinToken("Next", "NXT", SUPPLY, customer));
        vm.prank(owner);
        gateway.setSubcoin(next);
        _announce(address(hash), friend, 401);
        vm.warp(block.timestamp + 8 days);
        _nextBlock();
        (, SumTree.Node memory root) = _tree(_plain(), _today());
        vm.prank(attester);
        gateway.attest(_today(), root.hash, root.sums, address(hash), 4, block.number - 1, 7);
        vm.expectRevert(abi.encodeWithSelector(IAttestedGateway.ExceedsSurplus.selector, address(hash), 401, 400));
        _take(address(hash));
        vm.prank(payer);
        vm.expectRevert(abi.encodeWithSelector(IGatewayControl.DailyCapExceeded.selector, next, 1, 0));
        gateway.pay("id", next, friend, 1);
    }

    function test_IsTakenOnce() public {
        for (uint256 i = 0; i < 3; ++i) {
            _announce(_assets()[i], friend, 5 + i);
        }
        _attestAfter(7 days);
        for (uint256 i = 0; i < 3; ++i) {
            address asset = _assets()[i];
            vm.expectEmit(true, true, true, true, address(gateway));
            emit Taken(asset, friend, 5 + i);
            _take(asset);
            vm.assertEq(_balance(asset, friend), 5 + i, "sent");
            vm.expectRevert(abi.encodeWithSelector(IGatewayControl.NothingAnnounced.selector, asset));
            _take(asset);
        }
    }

    function test_AForeignTokenIsAllSurplus() public {
        StablecoinToken foreign = new StablecoinToken("Foreign", "FOR", SUPPLY, customer);
        _fund(address(foreign), 70);
        _announce(address(foreign), friend, 70);
        _attestAfter(8 days);
        _take(address(foreign));
        vm.assertEq(foreign.balanceOf(friend), 70, "all of it");
    }

    function test_RevertWhen_RecipientRefuses() public {
        address refusing = address(new RefusingRecipient());
        _announce(NATIVE, refusing, 5);
        _attestAfter(8 days);
        bytes4 failed = IPaymentGateway.NativePaymentFailed.selector;
        vm.expectRevert(abi.encodeWithSelector(failed, bytes32(0), refusing, 5));
        _take(NATIVE);
        vm.assertEq(gateway.announcedTaking(NATIVE).amount, 5, "still announced");
    }

    function test_RevertWhen_TheTokenCallsBack() public {
        ReentrantToken token = new ReentrantToken(address(gateway));
        _announce(address(token), friend, 1);
        _attestAfter(8 days);
        vm.deal(address(token), 1);
        bytes memory deposit = abi.encodeCall(gateway.recharge, ("deposit", abi.encode(1, NATIVE, customer, "")));
        token.arm(address(gateway), deposit, 1);
        vm.expectRevert(ReentrancyGuard.ReentrancyGuardReentrantCall.selector);
        _take(address(token));
    }

    function test_LapsesAfterItsTime() public {
        _announce(address(usdt), friend, 5);
        uint256 until = block.timestamp + 7 days + 30 days;
        _attestAfter(8 days);
        vm.warp(until + 1);
        vm.expectRevert(abi.encodeWithSelector(IGatewayControl.TooLate.selector, until));
        _take(address(usdt));
        vm.warp(until);
        _take(address(usdt));
        vm.assertEq(usdt.balanceOf(friend), 5, "until then");
    }

    function _attestAfter(uint256 time) private {
        vm.warp(block.timestamp + time);
        vm.roll(block.number + 2);
        _attest(_plain());
    }

    function _announce(address asset, address to, uint256 amount) private {
        vm.prank(owner);
        gateway.announceTaking(asset, to, amount);
    }

    function _take(address asset) private {
        vm.prank(owner);
        gateway.take(asset);
    }
}
