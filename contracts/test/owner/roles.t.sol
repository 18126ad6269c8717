// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IGatewayControl} from "../../src/IGatewayControl.sol";
import {PaymentGateway} from "../../src/PaymentGateway.sol";
import {GatewayTest} from "../base/GatewayTest.sol";
import {vm} from "../base/Vm.sol";

contract RolesTest is GatewayTest {
    event RoleChanged(IGatewayControl.Role indexed role, address indexed previousAccount, address indexed newAccount);
    event StandbyNamed(IGatewayControl.Role indexed role, address indexed account, uint256 from);
    event GuardianChanged(address indexed previousGuardian, address indexed newGuardian);

    IGatewayControl.Role[2] private roles = [IGatewayControl.Role.Payer, IGatewayControl.Role.Attester];

    function test_DeployedWithRoles() public {
        vm.expectEmit(true, true, true, true);
        emit RoleChanged(roles[0], address(0), payer);
        vm.expectEmit(true, true, true, true);
        emit RoleChanged(roles[1], address(0), attester);
        vm.expectEmit(true, true, true, true);
        emit GuardianChanged(address(0), guardian);
        vm.expectEmit(true, true, true, true);
        emit StandbyNamed(roles[0], standbyPayer, block.timestamp);
        vm.expectEmit(true, true, true, true);
        emit StandbyNamed(roles[1], standbyAttester, block.timestamp);
        PaymentGateway fresh = _newGateway(CAP);
        vm.assertEq(fresh.payer(), payer, "payer");
        vm.assertEq(fresh.attester(), attester, "attester");
        vm.assertEq(fresh.guardian(), guardian, "guardian");
        vm.assertEq(fresh.standby(roles[0]).account, standbyPayer, "standby payer");
        vm.assertEq(fresh.standby(roles[1]).account, standbyAttester, "standby attester");
    }

    function test_StandbyTakesOverAtOnce() public {
        address[2] memory before = [payer, attester];
        address[2] memory next = [standbyPayer, standbyAttester];
        for (uint256 i = 0; i < 2; ++i) {
            vm.expectEmit(true, true, true, true, address(gateway));
            emit RoleChanged(roles[i], before[i], next[i]);
            vm.prank(owner);
            gateway.switchToStandby(roles[i]);
            vm.assertEq(i == 0 ? gateway.payer() : gateway.attester(), next[i], "the standby has the role");
            vm.assertEq(gateway.standby(roles[i]).account, address(0), "and there is no other");
            vm.expectRevert(abi.encodeWithSelector(IGatewayControl.NoStandby.selector, roles[i]));
            vm.prank(owner);
            gateway.switchToStandby(roles[i]);
        }
        vm.assertEq(gateway.attester(), standbyAttester, "each role by itself");
        vm.expectRevert(abi.encodeWithSelector(IGatewayControl.NotPayer.selector, payer));
        vm.prank(payer);
        gateway.pay("id", NATIVE, stranger, 1);
    }

    function test_RevertWhen_TheNoticeIsNotOver() public {
        for (uint256 i = 0; i < 2; ++i) {
            uint256 from = block.timestamp + 7 days;
            vm.expectEmit(true, true, true, true, address(gateway));
            emit StandbyNamed(roles[i], friend, from);
            vm.prank(owner);
            gateway.nameStandby(roles[i], friend);
            vm.assertEq(gateway.standby(roles[i]).from, from, "announced for then");
            vm.warp(from - 1);
            vm.expectRevert(abi.encodeWithSelector(IGatewayControl.TooEarly.selector, from));
            vm.prank(owner);
            gateway.switchToStandby(roles[i]);
            vm.warp(from);
            vm.prank(owner);
            gateway.switchToStandby(roles[i]);
            vm.assertEq(i == 0 ? gateway.payer() : gateway.attester(), friend, "now");
            setUp();
        }
    }

    function test_AnotherNameBeginsTheNoticeAgain() public {
        vm.prank(owner);
        gateway.nameStandby(roles[0], friend);
        vm.warp(block.timestamp + 7 days);
        vm.prank(owner);
        gateway.nameStandby(roles[0], stranger);
        vm.expectRevert(abi.encodeWithSelector(IGatewayControl.TooEarly.selector, block.timestamp + 7 days));
        vm.prank(owner);
        gateway.switchToStandby(roles[0]);
        vm.prank(owner);
        gateway.nameStandby(roles[0], address(0));
        vm.warp(block.timestamp + 7 days);
        vm.expectRevert(abi.encodeWithSelector(IGatewayControl.NoStandby.selector, roles[0]));
        vm.prank(owner);
        gateway.switchToStandby(roles[0]);
    }

    function test_RemovePayer() public {
        vm.expectEmit(true, true, true, true, address(gateway));
        emit RoleChanged(roles[0], payer, address(0));
        vm.prank(owner);
        gateway.removePayer();
        vm.assertEq(gateway.payer(), address(0), "nobody");
        vm.assertEq(gateway.standby(roles[0]).account, standbyPayer, "the standby stays");
        vm.prank(owner);
        gateway.switchToStandby(roles[0]);
        vm.assertEq(gateway.payer(), standbyPayer, "and takes over");
    }

    function test_SetGuardian() public {
        vm.expectEmit(true, true, true, true, address(gateway));
        emit GuardianChanged(guardian, friend);
        vm.prank(owner);
        gateway.setGuardian(friend);
        vm.assertEq(gateway.guardian(), friend, "the new guardian");
        vm.prank(owner);
        gateway.setGuardian(address(0));
        vm.assertEq(gateway.guardian(), address(0), "or nobody");
        vm.expectRevert(abi.encodeWithSelector(IGatewayControl.NotOwnerOrGuardian.selector, guardian));
        vm.prank(guardian);
        gateway.pause();
    }

    /// A standby with another role could not take over on the day on which it is needed.
    function test_RevertWhen_TheAccountHasARole() public {
        address[5] memory taken = [payer, attester, guardian, standbyPayer, standbyAttester];
        for (uint256 i = 0; i < 5; ++i) {
            bytes memory refusal = abi.encodeWithSelector(IGatewayControl.HasARole.selector, taken[i]);
            vm.expectRevert(refusal);
            vm.prank(owner);
            gateway.setGuardian(taken[i]);
            for (uint256 j = 0; j < 2; ++j) {
                // The notice of a standby can begin again.
                if (i == 3 + j) continue;
                vm.expectRevert(refusal);
                vm.prank(owner);
                gateway.nameStandby(roles[j], taken[i]);
            }
        }
        for (uint256 j = 0; j < 2; ++j) {
            vm.startPrank(owner);
            gateway.nameStandby(roles[j], taken[3 + j]);
            vm.warp(block.timestamp + 7 days);
            gateway.switchToStandby(roles[j]);
            // An account that has lost a role is free for another one.
            gateway.nameStandby(roles[j], taken[j]);
            vm.stopPrank();
        }
    }

    function test_RevertWhen_DeployedWithOneAccountTwice() public {
        IGatewayControl.Setup memory setup = _setup(CAP);
        setup.attester = payer;
        vm.expectRevert(abi.encodeWithSelector(IGatewayControl.HasARole.selector, payer));
        new PaymentGateway(setup, router, address(usdt), address(hash));
        setup = _setup(CAP);
        setup.standbyAttester = standbyPayer;
        vm.expectRevert(abi.encodeWithSelector(IGatewayControl.HasARole.selector, standbyPayer));
        new PaymentGateway(setup, router, address(usdt), address(hash));
    }
}
