// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @notice The cheatcodes of forge that these tests use, and no others.
interface Vm {
    struct Log {
        bytes32[] topics;
        bytes data;
        address emitter;
    }

    struct Gas {
        uint64 gasLimit;
        uint64 gasTotalUsed;
        uint64 gasMemoryUsed;
        int64 gasRefunded;
        uint64 gasRemaining;
    }

    function prank(address sender) external;
    function startPrank(address sender) external;
    function stopPrank() external;
    function etch(address account, bytes calldata code) external;
    function deal(address account, uint256 balance) external;
    function warp(uint256 timestamp) external;
    function roll(uint256 blockNumber) external;
    function chainId(uint256 id) external;
    function assume(bool condition) external pure;
    function addr(uint256 key) external pure returns (address);
    function sign(uint256 key, bytes32 digest) external pure returns (uint8 v, bytes32 r, bytes32 s);
    function expectRevert(bytes calldata revertData) external;
    function expectRevert(bytes4 selector) external;
    function expectRevert() external;
    function expectEmit(bool topic1, bool topic2, bool topic3, bool data) external;
    function expectEmit(bool topic1, bool topic2, bool topic3, bool data, address emitter) external;
    function expectCall(address callee, uint256 value, bytes calldata data, uint64 count) external;
    function recordLogs() external;
    function getRecordedLogs() external returns (Log[] memory);
    function readFile(string calldata path) external view returns (string memory);
    function parseJsonString(string calldata json, string calldata key) external pure returns (string memory);
    function parseJsonBytes32(string calldata json, string calldata key) external pure returns (bytes32);
    function parseJsonAddress(string calldata json, string calldata key) external pure returns (address);
    function parseJsonUint(string calldata json, string calldata key) external pure returns (uint256);
    function parseBytes(string calldata hexText) external pure returns (bytes memory);
    function snapshotState() external returns (uint256);
    function revertToState(uint256 snapshot) external returns (bool);
    function lastCallGas() external view returns (Gas memory);
    function snapshotGasLastCall(string calldata group, string calldata name) external returns (uint256);
    function assertTrue(bool condition, string calldata failure) external pure;
    function assertEq(uint256 left, uint256 right, string calldata failure) external pure;
    function assertEq(address left, address right, string calldata failure) external pure;
    function assertEq(bytes32 left, bytes32 right, string calldata failure) external pure;
    function assertEq(string calldata left, string calldata right, string calldata failure) external pure;
    function assertEq(bool left, bool right, string calldata failure) external pure;
    function assertLe(uint256 left, uint256 right, string calldata failure) external pure;
    function assertLt(uint256 left, uint256 right, string calldata failure) external pure;
}

/// @dev The address at which forge provides the cheatcodes.
Vm constant vm = Vm(address(uint160(uint256(keccak256("hevm cheat code")))));

/// @dev Folds any number into a range, both ends included.
function bound(uint256 value, uint256 low, uint256 high) pure returns (uint256) {
    if (value >= low && value <= high) return value;
    uint256 size = high - low + 1;
    return size == 0 ? value : low + (value % size);
}
