// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";

/// @title A stablecoin-style token for development chains
/// @notice A fixed supply with 18 decimals. A holder can burn, and can freeze own tokens and unfreeze them again.
/// The owner has no power over it.
contract StablecoinToken is ERC20 {
    /// @notice The account that got the whole supply.
    address public immutable owner;
    /// @notice The amount that an account has frozen. It is not in `balanceOf` but is in `totalSupply`.
    mapping(address account => uint256) public freezeOf;

    event Burn(address indexed from, uint256 value);
    event Freeze(address indexed from, uint256 value);
    event Unfreeze(address indexed from, uint256 value);

    /// @notice The account has frozen less than it tries to unfreeze.
    error NotEnoughFrozen(address account, uint256 frozen, uint256 needed);

    constructor(string memory name_, string memory symbol_, uint256 initialSupply, address owner_)
        ERC20(name_, symbol_)
    {
        owner = owner_;
        _mint(owner_, initialSupply);
    }

    /// @notice Destroys some of the caller's tokens.
    function burn(uint256 value) external returns (bool) {
        _burn(msg.sender, value);
        emit Burn(msg.sender, value);
        return true;
    }

    /// @notice Freezes some of the caller's tokens. This contract holds them, so that balances still sum to the supply.
    function freeze(uint256 value) external returns (bool) {
        freezeOf[msg.sender] += value;
        _transfer(msg.sender, address(this), value);
        emit Freeze(msg.sender, value);
        return true;
    }

    /// @notice Unfreezes some of the caller's tokens.
    function unfreeze(uint256 value) external returns (bool) {
        uint256 frozen = freezeOf[msg.sender];
        require(value <= frozen, NotEnoughFrozen(msg.sender, frozen, value));
        freezeOf[msg.sender] = frozen - value;
        _transfer(address(this), msg.sender, value);
        emit Unfreeze(msg.sender, value);
        return true;
    }
}
