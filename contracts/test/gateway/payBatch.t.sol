// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IGatewayControl} from "../../src/IGatewayControl.sol";
import {IPaymentGateway} from "../../src/IPaymentGateway.sol";
import {GatewayTest} from "../base/GatewayTest.sol";
import {bound, vm} from "../base/Vm.sol";
import {RefusingRecipient} from "../mocks/Recipients.sol";
import {Pausable} from "@openzeppelin/contracts/utils/Pausable.sol";

contract PayBatchTest is GatewayTest {
    event Paid(bytes32 indexed id, address asset, address to, uint256 amount);

    function setUp() public override {
        super.setUp();
        _fund(NATIVE, 10 * CAP);
        _fund(address(usdt), 10 * CAP);
    }

    function testFuzz_RevertWhen_CallerIsNotPayer(address caller) public {
        vm.assume(caller != payer);
        IPaymentGateway.Payment[] memory payments = _payments();
        vm.expectRevert(abi.encodeWithSelector(IGatewayControl.NotPayer.selector, caller));
        vm.prank(caller);
        gateway.payBatch(payments);
    }

    function test_RevertWhen_Paused() public {
        vm.prank(guardian);
        gateway.pause();
        _expectNonePaid(abi.encodeWithSelector(Pausable.EnforcedPause.selector), _payments());
    }

    function test_RevertWhen_OneRecipientRefuses() public {
        IPaymentGateway.Payment[] memory payments = _payments();
        address wallet = address(new RefusingRecipient());
        (payments[2].asset, payments[2].to) = (NATIVE, wallet);
        bytes memory reason =
            abi.encodeWithSelector(IPaymentGateway.NativePaymentFailed.selector, payments[2].id, wallet, 3);
        _expectNonePaid(reason, payments);
    }

    function test_RevertWhen_AnIdComesTwice() public {
        IPaymentGateway.Payment[] memory payments = _payments();
        payments[2].id = payments[0].id;
        _expectNonePaid(abi.encodeWithSelector(IPaymentGateway.AlreadyPaid.selector, payments[0].id), payments);
    }

    function test_RevertWhen_AnIdWasPaid() public {
        IPaymentGateway.Payment[] memory payments = _payments();
        vm.prank(payer);
        gateway.pay(payments[1].id, NATIVE, stranger, 1);
        vm.expectRevert(abi.encodeWithSelector(IPaymentGateway.AlreadyPaid.selector, payments[1].id));
        vm.prank(payer);
        gateway.payBatch(payments);
    }

    function test_RevertWhen_TheSumExceedsTheCap() public {
        IPaymentGateway.Payment[] memory payments = _payments();
        (payments[0].amount, payments[2].amount) = (CAP - 2, 3);
        bytes memory reason = abi.encodeWithSelector(IGatewayControl.DailyCapExceeded.selector, address(usdt), 3, 2);
        _expectNonePaid(reason, payments);
    }

    function test_AllArePaid() public {
        IPaymentGateway.Payment[] memory payments = _payments();
        for (uint256 i = 0; i < payments.length; ++i) {
            vm.expectEmit(true, true, true, true, address(gateway));
            emit Paid(payments[i].id, payments[i].asset, payments[i].to, payments[i].amount);
        }
        vm.prank(payer);
        gateway.payBatch(payments);
        for (uint256 i = 0; i < payments.length; ++i) {
            vm.assertTrue(gateway.isPaid(payments[i].id), "each id is used");
        }
        vm.assertEq(usdt.balanceOf(friend), 4, "two in USDT");
        vm.assertEq(friend.balance, 2, "one in the native currency");
    }

    function testFuzz_TheSumCountsAgainstTheCap(uint256 first) public {
        IPaymentGateway.Payment[] memory payments = _payments();
        payments[0].amount = bound(first, 1, CAP - 1);
        payments[2].amount = CAP - payments[0].amount;
        vm.prank(payer);
        gateway.payBatch(payments);
        vm.assertEq(gateway.leftOfCap(address(usdt)), 0, "nothing is left");
        vm.assertEq(usdt.balanceOf(friend), CAP, "all of it was paid");
    }

    function test_EmptyBatch() public {
        vm.prank(payer);
        gateway.payBatch(new IPaymentGateway.Payment[](0));
        vm.assertEq(gateway.leftOfCap(NATIVE), CAP, "nothing was paid");
    }

    /// @dev 1 USDT unit, 2 native units, 3 USDT units, all to the friend.
    function _payments() private view returns (IPaymentGateway.Payment[] memory payments) {
        payments = new IPaymentGateway.Payment[](3);
        for (uint256 i = 0; i < 3; ++i) {
            address asset = i == 1 ? NATIVE : address(usdt);
            payments[i] = IPaymentGateway.Payment(keccak256(abi.encode(i)), asset, friend, i + 1);
        }
    }

    function _expectNonePaid(bytes memory reason, IPaymentGateway.Payment[] memory payments) private {
        vm.expectRevert(reason);
        vm.prank(payer);
        gateway.payBatch(payments);
        vm.assertEq(usdt.balanceOf(friend), 0, "no USDT left");
        vm.assertEq(friend.balance, 0, "no native money left");
        vm.assertTrue(!gateway.isPaid(payments[0].id), "the first id stays free");
    }
}
