// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {StablecoinToken} from "../src/dev/StablecoinToken.sol";
import {bound, vm} from "./base/Vm.sol";
import {IERC20Errors} from "@openzeppelin/contracts/interfaces/draft-IERC6093.sol";

contract StablecoinTokenTest {
    event Burn(address indexed from, uint256 value);
    event Freeze(address indexed from, uint256 value);
    event Unfreeze(address indexed from, uint256 value);

    uint256 private constant SUPPLY = 1e27;
    address private holder = address(0xA11CE);
    address private friend = address(0xF51E4D);
    StablecoinToken private token;

    function setUp() public {
        token = new StablecoinToken("Tether USD", "USDT", SUPPLY, holder);
    }

    function test_DeployedAsTold() public view {
        vm.assertEq(token.name(), "Tether USD", "name");
        vm.assertEq(token.symbol(), "USDT", "symbol");
        vm.assertEq(token.decimals(), 18, "decimals");
        vm.assertEq(token.totalSupply(), SUPPLY, "supply");
        vm.assertEq(token.owner(), holder, "owner");
        vm.assertEq(token.balanceOf(holder), SUPPLY, "balance");
    }

    function testFuzz_Transfers(uint256 amount, uint256 allowed) public {
        amount = bound(amount, 0, SUPPLY / 2);
        allowed = bound(allowed, amount, type(uint256).max - 1);
        vm.startPrank(holder);
        require(token.transfer(friend, amount));
        token.approve(friend, allowed);
        vm.stopPrank();
        vm.prank(friend);
        require(token.transferFrom(holder, friend, amount));
        vm.assertEq(token.balanceOf(friend), 2 * amount, "both arrived");
        vm.assertEq(token.balanceOf(holder), SUPPLY - 2 * amount, "both left");
        vm.assertEq(token.allowance(holder, friend), allowed - amount, "the allowance fell");
    }

    function test_RevertWhen_TransferIsTooLarge() public {
        vm.expectRevert(abi.encodeWithSelector(IERC20Errors.ERC20InsufficientBalance.selector, friend, 0, 1));
        vm.prank(friend);
        token.transfer(holder, 1);
    }

    function testFuzz_Burn(uint256 amount) public {
        amount = bound(amount, 0, SUPPLY);
        vm.expectEmit(true, true, true, true, address(token));
        emit Burn(holder, amount);
        vm.prank(holder);
        require(token.burn(amount));
        vm.assertEq(token.totalSupply(), SUPPLY - amount, "the supply fell");
        vm.assertEq(token.balanceOf(holder), SUPPLY - amount, "and the balance");
    }

    function test_RevertWhen_BurnIsTooLarge() public {
        vm.expectRevert(
            abi.encodeWithSelector(IERC20Errors.ERC20InsufficientBalance.selector, holder, SUPPLY, SUPPLY + 1)
        );
        vm.prank(holder);
        token.burn(SUPPLY + 1);
    }

    function testFuzz_FreezeAndUnfreeze(uint256 frozen, uint256 thawed) public {
        frozen = bound(frozen, 0, SUPPLY);
        thawed = bound(thawed, 0, frozen);
        vm.expectEmit(true, true, true, true, address(token));
        emit Freeze(holder, frozen);
        vm.startPrank(holder);
        require(token.freeze(frozen));
        vm.assertEq(token.freezeOf(holder), frozen, "frozen");
        vm.assertEq(token.balanceOf(holder), SUPPLY - frozen, "not to be spent");
        vm.expectEmit(true, true, true, true, address(token));
        emit Unfreeze(holder, thawed);
        require(token.unfreeze(thawed));
        vm.stopPrank();
        vm.assertEq(token.freezeOf(holder), frozen - thawed, "the rest stays frozen");
        vm.assertEq(token.balanceOf(holder), SUPPLY - frozen + thawed, "the thawed part is back");
        vm.assertEq(token.totalSupply(), SUPPLY, "the supply is the same");
    }

    function test_RevertWhen_FreezeIsTooLarge() public {
        vm.expectRevert(abi.encodeWithSelector(IERC20Errors.ERC20InsufficientBalance.selector, friend, 0, 1));
        vm.prank(friend);
        token.freeze(1);
    }

    function test_RevertWhen_UnfreezeIsTooLarge() public {
        vm.prank(holder);
        require(token.transfer(friend, 10));
        vm.prank(holder);
        token.freeze(100);
        vm.startPrank(friend);
        token.freeze(10);
        vm.expectRevert(abi.encodeWithSelector(StablecoinToken.NotEnoughFrozen.selector, friend, 10, 11));
        token.unfreeze(11);
        vm.stopPrank();
    }
}
