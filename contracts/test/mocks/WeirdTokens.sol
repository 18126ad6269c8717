// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";

/// @notice Keeps one per cent of each transfer.
contract FeeToken is ERC20("Fee", "FEE") {
    constructor(address holder) {
        _mint(holder, 1e30);
    }

    function _update(address from, address to, uint256 value) internal override {
        uint256 fee = from == address(0) ? 0 : value / 100;
        super._update(from, to, value - fee);
        if (fee != 0) super._update(from, address(0xFEE), fee);
    }
}

/// @notice Takes one unit too many from the sender; the recipient gets the right amount.
contract SurchargeToken is ERC20("Surcharge", "SUR") {
    constructor(address holder) {
        _mint(holder, 1e30);
    }

    function _update(address from, address to, uint256 value) internal override {
        super._update(from, to, value);
        if (from != address(0) && to != address(0)) super._update(from, address(0xFEE), 1);
    }
}

/// @notice Pays the recipient one unit too many.
contract BonusToken is ERC20("Bonus", "BON") {
    constructor(address holder) {
        _mint(holder, 1e30);
    }

    function _update(address from, address to, uint256 value) internal override {
        super._update(from, to, value);
        if (from != address(0) && to != address(0)) super._update(address(0), to, 1);
    }
}

/// @notice Balances are shares of a pool that has grown: amounts round down when they move.
contract RebasingToken {
    mapping(address => uint256) private shares;
    mapping(address => mapping(address => uint256)) public allowance;
    uint256 private constant GROWTH_NUMERATOR = 7;
    uint256 private constant GROWTH_DENOMINATOR = 3;

    constructor(address holder) {
        shares[holder] = 1e30;
    }

    function balanceOf(address account) external view returns (uint256) {
        return shares[account] * GROWTH_NUMERATOR / GROWTH_DENOMINATOR;
    }

    function approve(address spender, uint256 value) external returns (bool) {
        allowance[msg.sender][spender] = value;
        return true;
    }

    function transfer(address to, uint256 value) external returns (bool) {
        return _move(msg.sender, to, value);
    }

    function transferFrom(address from, address to, uint256 value) external returns (bool) {
        allowance[from][msg.sender] -= value;
        return _move(from, to, value);
    }

    function _move(address from, address to, uint256 value) private returns (bool) {
        uint256 moved = value * GROWTH_DENOMINATOR / GROWTH_NUMERATOR;
        shares[from] -= moved;
        shares[to] += moved;
        return true;
    }
}

/// @notice An old kind of token whose transfers return nothing.
contract NoReturnToken {
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;

    constructor(address holder) {
        balanceOf[holder] = 1e30;
    }

    function approve(address spender, uint256 value) external {
        allowance[msg.sender][spender] = value;
    }

    function transfer(address to, uint256 value) external {
        _move(msg.sender, to, value);
    }

    function transferFrom(address from, address to, uint256 value) external {
        allowance[from][msg.sender] -= value;
        _move(from, to, value);
    }

    function _move(address from, address to, uint256 value) private {
        balanceOf[from] -= value;
        balanceOf[to] += value;
    }
}

/// @notice Moves nothing and returns false instead of reverting.
contract FalseReturnToken {
    mapping(address => uint256) public balanceOf;

    constructor(address holder) {
        balanceOf[holder] = 1e30;
    }

    function transfer(address, uint256) external pure returns (bool) {
        return false;
    }

    function transferFrom(address, address, uint256) external pure returns (bool) {
        return false;
    }
}

/// @notice Moves the money, then returns false.
contract FalseAfterMoveToken {
    mapping(address => uint256) public balanceOf;

    constructor(address holder) {
        balanceOf[holder] = 1e30;
    }

    function transfer(address to, uint256 value) external returns (bool) {
        return _move(msg.sender, to, value);
    }

    function transferFrom(address from, address to, uint256 value) external returns (bool) {
        return _move(from, to, value);
    }

    function _move(address from, address to, uint256 value) private returns (bool) {
        balanceOf[from] -= value;
        balanceOf[to] += value;
        return false;
    }
}

/// @notice Makes a configured call before each transfer, and passes on its revert.
contract ReentrantToken is ERC20("Reentrant", "REE") {
    address private target;
    bytes private call;
    uint256 private value;

    constructor(address holder) payable {
        _mint(holder, 1e30);
    }

    function arm(address target_, bytes calldata call_, uint256 value_) external {
        (target, call, value) = (target_, call_, value_);
    }

    function _update(address from, address to, uint256 amount) internal override {
        super._update(from, to, amount);
        if (target == address(0)) return;
        (bool done, bytes memory reason) = target.call{value: value}(call);
        if (done) return;
        assembly ("memory-safe") {
            revert(add(reason, 0x20), mload(reason))
        }
    }
}

/// @notice Tells balances, or fails to, in the way that is set.
contract MuteToken is ERC20("Mute", "MUT") {
    enum Mood {
        Honest,
        Reverting,
        Burning,
        Short,
        Greedy
    }

    Mood public mood;

    constructor(address holder) {
        _mint(holder, 1e30);
    }

    function set(Mood next) external {
        mood = next;
    }

    function balanceOf(address account) public view override returns (uint256) {
        Mood now_ = mood;
        require(now_ != Mood.Reverting);
        while (now_ == Mood.Burning) {}
        if (now_ == Mood.Short) {
            assembly ("memory-safe") {
                mstore(0, not(0))
                return(0, 31)
            }
        }
        // Needs nearly all that a caller may give it.
        require(now_ != Mood.Greedy || gasleft() > 196_900);
        return super.balanceOf(account);
    }
}

/// @notice Tells balances, and moves nothing while it is set to stop or to burn the gas that it is given.
contract StoppedToken is ERC20("Stopped", "STP") {
    enum Mood {
        Honest,
        Stopped,
        Burning
    }

    Mood public mood;

    constructor(address holder) {
        _mint(holder, 1e30);
    }

    function set(Mood next) external {
        mood = next;
    }

    function transfer(address to, uint256 value) public override returns (bool) {
        require(mood != Mood.Stopped);
        while (mood == Mood.Burning) {}
        return super.transfer(to, value);
    }
}
