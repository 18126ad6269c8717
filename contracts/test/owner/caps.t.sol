// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IGatewayControl} from "../../src/IGatewayControl.sol";
import {PaymentGateway} from "../../src/PaymentGateway.sol";
import {GatewayTest} from "../base/GatewayTest.sol";
import {bound, vm} from "../base/Vm.sol";
import {SafeCast} from "@openzeppelin/contracts/utils/math/SafeCast.sol";

contract CapsTest is GatewayTest {
    event DailyCapChanged(address indexed asset, uint256 previousCap, uint256 newCap);
    event RaiseAnnounced(address indexed asset, uint256 newCap, uint256 from);

    function test_DeployedWithCaps() public {
        IGatewayControl.Setup memory setup = _setup(CAP);
        setup.caps = [uint256(1), 2, 3];
        address[3] memory assets = [address(usdt), address(hash), NATIVE];
        for (uint256 i = 0; i < 3; ++i) {
            vm.expectEmit(true, true, true, true);
            emit DailyCapChanged(assets[i], 0, i + 1);
        }
        PaymentGateway fresh = new PaymentGateway(setup, router, address(usdt), address(hash));
        for (uint256 i = 0; i < 3; ++i) {
            vm.assertEq(fresh.dailyCap(assets[i]), i + 1, "cap");
            vm.assertEq(fresh.leftOfCap(assets[i]), i + 1, "all of it is left");
        }
        setup.caps[1] = 2 ** 104;
        vm.expectRevert(
            abi.encodeWithSelector(SafeCast.SafeCastOverflowedUintDowncast.selector, 104, uint256(2 ** 104))
        );
        new PaymentGateway(setup, router, address(usdt), address(hash));
    }

    function test_LoweredAtOnce() public {
        vm.expectEmit(true, true, true, true, address(gateway));
        emit DailyCapChanged(address(usdt), CAP, 5);
        vm.prank(owner);
        gateway.lowerCap(address(usdt), 5);
        vm.assertEq(gateway.dailyCap(address(usdt)), 5, "the new cap");
        vm.assertEq(gateway.leftOfCap(address(usdt)), 5, "all of it is left");
        vm.assertEq(gateway.dailyCap(NATIVE), CAP, "others stay");
    }

    function test_RevertWhen_LoweredToMore() public {
        vm.expectRevert(abi.encodeWithSelector(IGatewayControl.AboveCap.selector, address(usdt), CAP));
        vm.prank(owner);
        gateway.lowerCap(address(usdt), CAP + 1);
    }

    function test_LoweringTakesARaiseBack() public {
        vm.prank(owner);
        gateway.announceRaise(address(usdt), 2 * CAP);
        vm.prank(owner);
        gateway.lowerCap(address(usdt), CAP);
        vm.warp(block.timestamp + 7 days);
        vm.expectRevert(abi.encodeWithSelector(IGatewayControl.NothingAnnounced.selector, address(usdt)));
        vm.prank(owner);
        gateway.raiseCap(address(usdt));
    }

    function test_RaisedAfterTheNotice() public {
        uint256 from = block.timestamp + 7 days;
        vm.expectEmit(true, true, true, true, address(gateway));
        emit RaiseAnnounced(address(usdt), 2 * CAP, from);
        vm.prank(owner);
        gateway.announceRaise(address(usdt), 2 * CAP);
        vm.assertEq(gateway.announcedRaise(address(usdt)).amount, 2 * CAP, "announced");
        vm.assertEq(gateway.announcedRaise(address(usdt)).from, from, "for then");
        vm.warp(from - 1);
        vm.expectRevert(abi.encodeWithSelector(IGatewayControl.TooEarly.selector, from));
        vm.prank(owner);
        gateway.raiseCap(address(usdt));
        vm.warp(from);
        vm.expectEmit(true, true, true, true, address(gateway));
        emit DailyCapChanged(address(usdt), CAP, 2 * CAP);
        vm.prank(owner);
        gateway.raiseCap(address(usdt));
        vm.assertEq(gateway.dailyCap(address(usdt)), 2 * CAP, "the new cap");
        vm.expectRevert(abi.encodeWithSelector(IGatewayControl.NothingAnnounced.selector, address(usdt)));
        vm.prank(owner);
        gateway.raiseCap(address(usdt));
    }

    function test_ARaiseLapses() public {
        vm.prank(owner);
        gateway.announceRaise(address(usdt), 2 * CAP);
        uint256 until = block.timestamp + 7 days + 30 days;
        vm.warp(until + 1);
        vm.expectRevert(abi.encodeWithSelector(IGatewayControl.TooLate.selector, until));
        vm.prank(owner);
        gateway.raiseCap(address(usdt));
        vm.warp(until);
        vm.prank(owner);
        gateway.raiseCap(address(usdt));
        vm.assertEq(gateway.dailyCap(address(usdt)), 2 * CAP, "until then");
    }

    function test_RevertWhen_RaiseIsForNothing() public {
        vm.expectRevert(abi.encodeWithSelector(IGatewayControl.NotAContract.selector, stranger));
        vm.prank(owner);
        gateway.announceRaise(stranger, 5);
        vm.expectRevert(
            abi.encodeWithSelector(SafeCast.SafeCastOverflowedUintDowncast.selector, 104, uint256(2 ** 104))
        );
        vm.prank(owner);
        gateway.announceRaise(NATIVE, 2 ** 104);
    }

    function testFuzz_AChangeKeepsWhatIsUsed(uint256 amount, uint256 time, uint256 newCap) public {
        (amount, time, newCap) = (bound(amount, 1, CAP), bound(time, 0, 1 days), bound(newCap, 0, CAP));
        _fund(NATIVE, CAP);
        vm.prank(payer);
        gateway.pay("id", NATIVE, friend, amount);
        vm.warp(block.timestamp + time);
        uint256 back = CAP * time / 1 days;
        uint256 used = back < amount ? amount - back : 0;
        vm.prank(owner);
        gateway.lowerCap(NATIVE, newCap);
        vm.assertEq(gateway.leftOfCap(NATIVE), used < newCap ? newCap - used : 0, "the rest of the new cap");
        vm.warp(block.timestamp + time);
        back = newCap * time / 1 days;
        used = back < used ? used - back : 0;
        vm.assertEq(gateway.leftOfCap(NATIVE), used < newCap ? newCap - used : 0, "and it comes back at its pace");
    }
}
