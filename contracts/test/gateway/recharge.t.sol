// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IAttestedGateway} from "../../src/IAttestedGateway.sol";
import {IPaymentGateway} from "../../src/IPaymentGateway.sol";
import {StablecoinToken} from "../../src/dev/StablecoinToken.sol";
import {GatewayTest} from "../base/GatewayTest.sol";
import {bound, vm} from "../base/Vm.sol";
import {
    BonusToken,
    FalseAfterMoveToken,
    FalseReturnToken,
    FeeToken,
    NoReturnToken,
    RebasingToken,
    ReentrantToken
} from "../mocks/WeirdTokens.sol";
import {IERC20Errors} from "@openzeppelin/contracts/interfaces/draft-IERC6093.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {ReentrancyGuard} from "@openzeppelin/contracts/utils/ReentrancyGuard.sol";

contract RechargeTest is GatewayTest {
    string[4] private keys = ["buyPower", "deposit", "revenue", "repay"];

    function test_RevertWhen_NeverAttested() public {
        gateway = _newGateway(CAP);
        bytes memory data = abi.encode(1, NATIVE, friend, "");
        vm.expectRevert(IAttestedGateway.NeverAttested.selector);
        vm.prank(customer);
        gateway.recharge{value: 1}("deposit", data);
        _open();
        vm.prank(customer);
        gateway.recharge{value: 1}("deposit", data);
    }

    function test_RevertWhen_KeyIsUnknown() public {
        string[6] memory wrong = ["", "buypower", "buyPower ", "withdraw", "native", "deposit:"];
        for (uint256 i = 0; i < wrong.length; ++i) {
            bytes memory data = abi.encode(1, NATIVE, friend, "");
            vm.expectRevert(abi.encodeWithSelector(IPaymentGateway.UnknownKey.selector, wrong[i]));
            vm.prank(customer);
            gateway.recharge{value: 1}(wrong[i], data);
        }
    }

    function testFuzz_RevertWhen_KeyIsAnythingElse(string memory key) public {
        for (uint256 i = 0; i < keys.length; ++i) {
            vm.assume(keccak256(bytes(key)) != keccak256(bytes(keys[i])));
        }
        bytes memory data = abi.encode(1, NATIVE, friend, "");
        vm.expectRevert(abi.encodeWithSelector(IPaymentGateway.UnknownKey.selector, key));
        vm.prank(customer);
        gateway.recharge{value: 1}(key, data);
    }

    function test_RevertWhen_DataIsMalformed() public {
        bytes[4] memory wrong = [
            bytes(""),
            abi.encode(1, NATIVE, friend),
            // An address word with bits above the 160th is invalid.
            abi.encode(1, uint256(1) << 160, friend, "ref"),
            // A string whose length exceeds the data.
            abi.encode(1, NATIVE, friend, uint256(0x80), uint256(1 << 40))
        ];
        for (uint256 i = 0; i < wrong.length; ++i) {
            vm.expectRevert();
            vm.prank(customer);
            gateway.recharge{value: 1}("deposit", wrong[i]);
        }
    }

    function test_RevertWhen_AmountIsZero() public {
        address[2] memory assets = [NATIVE, address(usdt)];
        for (uint256 i = 0; i < assets.length; ++i) {
            vm.expectRevert(IPaymentGateway.ZeroAmount.selector);
            _recharge("deposit", 0, assets[i], friend, "", 0);
        }
    }

    function test_RevertWhen_CustomerIsZero() public {
        vm.expectRevert(IPaymentGateway.ZeroCustomer.selector);
        _recharge("deposit", 1, NATIVE, address(0), "", 1);
    }

    function test_RevertWhen_ReferenceIsTooLong() public {
        vm.expectRevert(IPaymentGateway.BadReference.selector);
        _recharge("deposit", 1, NATIVE, friend, _text(129), 1);
    }

    function testFuzz_RevertWhen_ReferenceIsNotPrintable(uint8 length, uint8 place, uint8 badByte) public {
        bytes memory ref = bytes(_text(bound(length, 1, 128)));
        // Folded into 0x00 to 0x1f and 0x7f to 0xff, so that the borders are drawn often enough.
        uint256 bad = bound(badByte, 0, 0xff - 0x5f);
        ref[place % ref.length] = bytes1(uint8(bad < 0x20 ? bad : bad + 0x5f));
        vm.expectRevert(IPaymentGateway.BadReference.selector);
        _recharge("deposit", 1, NATIVE, friend, string(ref), 1);
    }

    function test_ReferenceAtItsLimits() public {
        string[4] memory good = ["", _text(128), " ", "~"];
        for (uint256 i = 0; i < good.length; ++i) {
            _expectReceipt(NATIVE, 1, string.concat("deposit:", good[i]), customer, friend);
            _recharge("deposit", 1, NATIVE, friend, good[i], 1);
        }
        vm.expectRevert(IPaymentGateway.BadReference.selector);
        _recharge("deposit", 1, NATIVE, friend, "\x1f", 1);
        vm.expectRevert(IPaymentGateway.BadReference.selector);
        _recharge("deposit", 1, NATIVE, friend, "\x7f", 1);
    }

    function test_RevertWhen_AssetIsUnsupported() public {
        StablecoinToken other = new StablecoinToken("Other", "OTH", SUPPLY, customer);
        vm.prank(customer);
        other.approve(address(gateway), SUPPLY);
        vm.expectRevert(abi.encodeWithSelector(IPaymentGateway.UnsupportedAsset.selector, other));
        _recharge("deposit", 1, address(other), friend, "", 0);
    }

    function test_RevertWhen_AssetIsAFormerSubcoin() public {
        StablecoinToken next = new StablecoinToken("Next", "NXT", SUPPLY, customer);
        vm.prank(owner);
        gateway.setSubcoin(address(next));
        vm.expectRevert(abi.encodeWithSelector(IPaymentGateway.UnsupportedAsset.selector, hash));
        _recharge("deposit", 1, address(hash), friend, "", 0);
    }

    function test_RevertWhen_ValueIsBelowAmount() public {
        vm.expectRevert(abi.encodeWithSelector(IPaymentGateway.WrongValue.selector, 5, 4));
        _recharge("buyPower", 5, NATIVE, friend, "K3V9", 4);
        vm.expectRevert(abi.encodeWithSelector(IPaymentGateway.WrongValue.selector, 5, 0));
        _recharge("buyPower", 5, NATIVE, friend, "K3V9", 0);
    }

    function test_RevertWhen_ValueIsAboveAmount() public {
        vm.expectRevert(abi.encodeWithSelector(IPaymentGateway.WrongValue.selector, 5, 6));
        _recharge("buyPower", 5, NATIVE, friend, "K3V9", 6);
    }

    function testFuzz_NativeIsReceived(uint256 amount, address to) public {
        vm.assume(to != address(0));
        amount = bound(amount, 1, SUPPLY);
        _expectReceipt(NATIVE, amount, "buyPower:K3V9", customer, to);
        _recharge("buyPower", amount, NATIVE, to, "K3V9", amount);
        vm.assertEq(address(gateway).balance, amount, "the gateway has the amount");
        vm.assertEq(customer.balance, SUPPLY - amount, "the customer paid the amount");
    }

    function test_EachKeyTakesNative() public {
        for (uint256 i = 0; i < keys.length; ++i) {
            _expectReceipt(NATIVE, 7, string.concat(keys[i], ":2026-11-21"), customer, friend);
            _recharge(keys[i], 7, NATIVE, friend, "2026-11-21", 7);
        }
    }

    function test_RevertWhen_TokenCallCarriesValue() public {
        vm.expectRevert(abi.encodeWithSelector(IPaymentGateway.WrongValue.selector, 0, 1));
        _recharge("deposit", 5, address(usdt), friend, "", 1);
        // Also when the value would be right for a payment in the native currency.
        vm.expectRevert(abi.encodeWithSelector(IPaymentGateway.WrongValue.selector, 0, 5));
        _recharge("deposit", 5, address(usdt), friend, "", 5);
    }

    function test_RevertWhen_AllowanceIsTooSmall() public {
        vm.prank(customer);
        usdt.approve(address(gateway), 4);
        vm.expectRevert(
            abi.encodeWithSelector(IERC20Errors.ERC20InsufficientAllowance.selector, address(gateway), 4, 5)
        );
        _recharge("deposit", 5, address(usdt), friend, "", 0);
    }

    function test_RevertWhen_BalanceIsTooSmall() public {
        vm.prank(customer);
        require(usdt.transfer(friend, SUPPLY - 4));
        vm.expectRevert(abi.encodeWithSelector(IERC20Errors.ERC20InsufficientBalance.selector, customer, 4, 5));
        _recharge("deposit", 5, address(usdt), friend, "", 0);
    }

    function testFuzz_OnlyTheCallerPays(address caller, uint256 amount, uint8 key) public {
        vm.assume(caller != customer && caller != address(0) && caller != address(vm) && caller != address(usdt));
        vm.assume(caller != address(gateway));
        amount = bound(amount, 1, SUPPLY);
        bytes memory data = abi.encode(amount, address(usdt), customer, "");
        vm.expectRevert(
            abi.encodeWithSelector(IERC20Errors.ERC20InsufficientAllowance.selector, address(gateway), 0, amount)
        );
        vm.prank(caller);
        gateway.recharge(keys[key % 4], data);
        vm.assertEq(usdt.balanceOf(customer), SUPPLY, "the customer's money is untouched");
    }

    function test_RevertWhen_TokenKeepsAFee() public {
        address weird = _subcoin(address(new FeeToken(customer)));
        vm.expectRevert(abi.encodeWithSelector(IPaymentGateway.WrongAmountMoved.selector, weird, 1_000, 990));
        _recharge("deposit", 1_000, weird, friend, "", 0);
    }

    function test_RevertWhen_TokenBringsTooMuch() public {
        address weird = _subcoin(address(new BonusToken(customer)));
        vm.expectRevert(abi.encodeWithSelector(IPaymentGateway.WrongAmountMoved.selector, weird, 1_000, 1_001));
        _recharge("deposit", 1_000, weird, friend, "", 0);
    }

    function test_RevertWhen_TokenRebases() public {
        address weird = _subcoin(address(new RebasingToken(customer)));
        vm.expectRevert(abi.encodeWithSelector(IPaymentGateway.WrongAmountMoved.selector, weird, 1_000, 998));
        _recharge("deposit", 1_000, weird, friend, "", 0);
    }

    function test_RevertWhen_TokenReturnsFalse() public {
        FalseReturnToken weird = new FalseReturnToken(customer);
        vm.prank(owner);
        gateway.setSubcoin(address(weird));
        vm.expectRevert(abi.encodeWithSelector(SafeERC20.SafeERC20FailedOperation.selector, weird));
        _recharge("deposit", 1_000, address(weird), friend, "", 0);
    }

    function test_RevertWhen_TokenReturnsFalseAfterMoving() public {
        FalseAfterMoveToken weird = new FalseAfterMoveToken(customer);
        vm.prank(owner);
        gateway.setSubcoin(address(weird));
        vm.expectRevert(abi.encodeWithSelector(SafeERC20.SafeERC20FailedOperation.selector, weird));
        _recharge("deposit", 1_000, address(weird), friend, "", 0);
    }

    function test_TokenThatReturnsNothing() public {
        address weird = address(new NoReturnToken(customer));
        vm.prank(owner);
        gateway.setSubcoin(weird);
        vm.prank(customer);
        NoReturnToken(weird).approve(address(gateway), 1_000);
        _expectReceipt(weird, 1_000, "deposit:", customer, friend);
        _recharge("deposit", 1_000, weird, friend, "", 0);
        vm.assertEq(NoReturnToken(weird).balanceOf(address(gateway)), 1_000, "the gateway has the amount");
    }

    function test_RevertWhen_TokenReenters() public {
        address weird = _subcoin(address(new ReentrantToken(customer)));
        bytes memory again = abi.encodeCall(gateway.recharge, ("deposit", abi.encode(1, weird, friend, "")));
        ReentrantToken(weird).arm(address(gateway), again, 0);
        vm.expectRevert(ReentrancyGuard.ReentrancyGuardReentrantCall.selector);
        _recharge("deposit", 1_000, weird, friend, "", 0);
    }

    function test_RevertWhen_TokenReentersWithValue() public {
        vm.deal(address(this), 1);
        address weird = _subcoin(address(new ReentrantToken{value: 1}(customer)));
        bytes memory again = abi.encodeCall(gateway.recharge, ("deposit", abi.encode(1, NATIVE, friend, "")));
        ReentrantToken(weird).arm(address(gateway), again, 1);
        vm.expectRevert(ReentrancyGuard.ReentrancyGuardReentrantCall.selector);
        _recharge("deposit", 1_000, weird, friend, "", 0);
    }

    function testFuzz_TokenIsReceived(uint256 amount, address to, bool isSubcoin, uint128 already) public {
        vm.assume(to != address(0));
        StablecoinToken asset = isSubcoin ? hash : usdt;
        _fund(address(asset), bound(already, 0, SUPPLY / 2));
        uint256 before = asset.balanceOf(address(gateway));
        amount = bound(amount, 1, SUPPLY - before);
        _expectReceipt(address(asset), amount, "deposit:", customer, to);
        _recharge("deposit", amount, address(asset), to, "", 0);
        vm.assertEq(asset.balanceOf(address(gateway)), before + amount, "the gateway has the amount");
        vm.assertEq(asset.balanceOf(customer), SUPPLY - before - amount, "the customer paid the amount");
    }

    function test_EachKeyTakesTokens() public {
        for (uint256 i = 0; i < keys.length; ++i) {
            address asset = i % 2 == 0 ? address(usdt) : address(hash);
            _expectReceipt(asset, 7, string.concat(keys[i], ":2026-11-21"), customer, friend);
            _recharge(keys[i], 7, asset, friend, "2026-11-21", 0);
        }
    }

    function test_MoneyInStaysOpenWhilePaused() public {
        vm.prank(owner);
        gateway.pause();
        _expectReceipt(address(usdt), 7, "repay:L1", customer, friend);
        _recharge("repay", 7, address(usdt), friend, "L1", 0);
    }

    function _recharge(string memory key, uint256 amount, address asset, address to, string memory ref, uint256 value)
        private
    {
        vm.prank(customer);
        gateway.recharge{value: value}(key, abi.encode(amount, asset, to, ref));
    }

    function _subcoin(address weird) private returns (address) {
        vm.prank(owner);
        gateway.setSubcoin(weird);
        vm.prank(customer);
        StablecoinToken(weird).approve(address(gateway), type(uint256).max);
        return weird;
    }

    function _text(uint256 length) private pure returns (string memory) {
        bytes memory text = new bytes(length);
        for (uint256 i = 0; i < length; ++i) {
            text[i] = bytes1(uint8(0x20 + (i % 0x5f)));
        }
        return string(text);
    }
}
