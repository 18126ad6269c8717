// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";

/// @title A token with the oddities of known stablecoins, for tests
/// @notice Anyone switches them on and off, as the owner of an upgradeable token can.
contract OddToken is ERC20("Odd USDT", "USDT") {
    struct Oddities {
        /// @notice `approve`, `transfer` and `transferFrom` return nothing.
        bool returnsNothing;
        /// @notice An allowance changes only from zero or to zero.
        bool approvesFromZeroOnly;
        /// @notice `approve` refuses zero.
        bool refusesZero;
        /// @notice One per cent of each transfer is kept.
        bool keepsFee;
        /// @notice Nothing moves and nothing is approved.
        bool paused;
    }

    Oddities public oddities;
    mapping(address account => bool) public isBlocked;

    error Refused();

    constructor(address holder) {
        _mint(holder, 1e30);
    }

    function set(Oddities calldata next) external {
        oddities = next;
    }

    function setBlocked(address account, bool blocked) external {
        isBlocked[account] = blocked;
    }

    function approve(address spender, uint256 value) public override returns (bool) {
        require(!oddities.paused && !(oddities.refusesZero && value == 0), Refused());
        require(!oddities.approvesFromZeroOnly || value == 0 || allowance(msg.sender, spender) == 0, Refused());
        return _answer(super.approve(spender, value));
    }

    function transfer(address to, uint256 value) public override returns (bool) {
        return _answer(super.transfer(to, value));
    }

    function transferFrom(address from, address to, uint256 value) public override returns (bool) {
        return _answer(super.transferFrom(from, to, value));
    }

    function _update(address from, address to, uint256 value) internal override {
        require(!oddities.paused && !isBlocked[from] && !isBlocked[to], Refused());
        uint256 fee = oddities.keepsFee && from != address(0) ? value / 100 : 0;
        super._update(from, to, value - fee);
        if (fee != 0) super._update(from, address(0xFEE), fee);
    }

    function _answer(bool answer) private view returns (bool) {
        if (oddities.returnsNothing) {
            assembly ("memory-safe") {
                return(0, 0)
            }
        }
        return answer;
    }
}
