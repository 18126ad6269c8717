// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

/// @title Who may do what with the gateway, and how much it pays out
/// @notice The owner names all others. The payer pays, within the daily cap of each asset. The attester attests what is owed. The
/// guardian can only pause. What gives somebody more power takes effect `NOTICE` after its announcement, which everybody can see:
/// another payer, attester or owner, a higher cap. What is announced and not done within `VALIDITY` lapses, but for a standby. What takes power away acts at once. The first values are those of the deployment.
interface IGatewayControl {
    /// @notice The roles that have a standby.
    enum Role {
        Payer,
        Attester
    }

    /// @notice The roles and caps of a new gateway.
    /// @param caps Daily caps of USDT, the subcoin and the native currency, base units
    struct Setup {
        address owner;
        address payer;
        address standbyPayer;
        address attester;
        address standbyAttester;
        address guardian;
        uint256[3] caps;
    }

    /// @notice The account that a role can be switched to.
    /// @param account Zero for nobody
    /// @param from Not before this time, seconds since 1970-01-01 UTC
    struct Standby {
        address account;
        uint48 from;
    }

    /// @notice A higher cap that was announced.
    /// @param amount Base units
    /// @param from Not before this time, seconds since 1970-01-01 UTC; zero when nothing is announced
    struct Raise {
        uint104 amount;
        uint48 from;
    }

    /// @notice Another account has the role; zero for nobody.
    event RoleChanged(Role indexed role, address indexed previousAccount, address indexed newAccount);

    /// @notice The role can be switched to this account from then on; zero for nobody.
    event StandbyNamed(Role indexed role, address indexed account, uint256 from);

    /// @notice Another account may pause; zero for nobody but the owner.
    event GuardianChanged(address indexed previousGuardian, address indexed newGuardian);

    /// @notice The daily cap of an asset changed.
    event DailyCapChanged(address indexed asset, uint256 previousCap, uint256 newCap);

    /// @notice The daily cap of an asset can be raised from then on.
    event RaiseAnnounced(address indexed asset, uint256 newCap, uint256 from);

    /// @notice Not before this time, seconds since 1970-01-01 UTC.
    error TooEarly(uint256 from);
    /// @notice It had to be done by this time, seconds since 1970-01-01 UTC; it can be announced again.
    error TooLate(uint256 until);
    /// @notice Only the payer may do this.
    error NotPayer(address caller);
    /// @notice Only the attester may do this.
    error NotAttester(address caller);
    /// @notice Only the owner or the guardian may do this.
    error NotOwnerOrGuardian(address caller);
    /// @notice Payer, attester, guardian and both standbys are different accounts, so that one stolen key is one role, and a standby can take
    /// over when it is needed.
    error HasARole(address account);
    /// @notice The role has no standby.
    error NoStandby(Role role);
    /// @notice `lowerCap` cannot raise a cap.
    error AboveCap(address asset, uint256 cap);
    /// @notice Nothing is announced for this asset.
    error NothingAnnounced(address asset);
    /// @notice The payment exceeds what can be paid out now.
    error DailyCapExceeded(address asset, uint256 amount, uint256 left);
    /// @notice The address must be a contract, and no code is deployed there.
    error NotAContract(address account);
    /// @notice Ownership cannot be renounced.
    error CannotRenounce();

    /// @notice Stops payments out. Owner or guardian; incoming payments stay open, so that debts can be repaid.
    /// @dev Errors: NotOwnerOrGuardian, EnforcedPause.
    function pause() external;

    /// @notice Resumes payments out. Owner only.
    /// @dev Errors: OwnableUnauthorizedAccount, ExpectedPause.
    function unpause() external;

    /// @notice Names another guardian, at once; zero for nobody. Owner only.
    /// @dev Errors: OwnableUnauthorizedAccount, HasARole.
    function setGuardian(address newGuardian) external;

    /// @notice Names the account that a role can be switched to after `NOTICE`; replaces the standby of before, at once. Zero for
    /// nobody. Owner only.
    /// @dev Errors: OwnableUnauthorizedAccount, HasARole.
    function nameStandby(Role role, address account) external;

    /// @notice Gives the role to its standby, at once; the account of before has lost it. Owner only.
    /// @dev Errors: OwnableUnauthorizedAccount, NoStandby, TooEarly.
    function switchToStandby(Role role) external;

    /// @notice Leaves the gateway without a payer, at once. Owner only.
    /// @dev There is no such function for the attester: whoever holds a stolen key of the owner could stop all attestations with it.
    /// Errors: OwnableUnauthorizedAccount.
    function removePayer() external;

    /// @notice Lowers the cap of an asset at once, and takes an announced raise back. Owner only.
    /// @param newCap Base units; the cap of now at most
    /// @dev Errors: OwnableUnauthorizedAccount, AboveCap.
    function lowerCap(address asset, uint256 newCap) external;

    /// @notice Announces a higher cap of an asset; replaces an earlier announcement for it. Owner only.
    /// @param newCap Base units, below 2^104
    /// @dev Errors: OwnableUnauthorizedAccount, NotAContract, SafeCastOverflowedUintDowncast.
    function announceRaise(address asset, uint256 newCap) external;

    /// @notice Sets the cap that was announced at least `NOTICE` ago, within `VALIDITY` after that. Owner only.
    /// @dev Errors: OwnableUnauthorizedAccount, NothingAnnounced, TooEarly, TooLate.
    function raiseCap(address asset) external;

    /// @notice How long what gives more power is announced before it takes effect. Seconds.
    function NOTICE() external view returns (uint256);

    /// @notice For how long after its notice a raise, another owner or a taking can be done. A standby has no such end. Seconds.
    function VALIDITY() external view returns (uint256);

    /// @notice The account that may pay; zero for nobody.
    function payer() external view returns (address);

    /// @notice The account that may attest.
    function attester() external view returns (address);

    /// @notice The account that may pause, besides the owner; zero for nobody.
    function guardian() external view returns (address);

    /// @notice The account that a role can be switched to.
    function standby(Role role) external view returns (Standby memory);

    /// @notice From when on the pending owner can accept, for `VALIDITY`; seconds since 1970-01-01 UTC.
    function ownershipFrom() external view returns (uint256);

    /// @notice Tells what can be paid out of an asset at once when nothing was paid for a day, base units. What was paid comes back
    /// evenly: the whole cap in 24 hours.
    function dailyCap(address asset) external view returns (uint256);

    /// @notice Tells what can be paid out of an asset now, base units.
    function leftOfCap(address asset) external view returns (uint256);

    /// @notice The higher cap that was announced for an asset.
    function announcedRaise(address asset) external view returns (Raise memory);
}
