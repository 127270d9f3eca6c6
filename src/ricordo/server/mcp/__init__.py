"""The MCP server: what its tools do, and the two ways to them, a process's own pipes and HTTP behind the guard.

The one rule: names and descriptions of tools are fixed texts of this package; what the vault holds leaves in results alone.
"""
