"""A tool and a call of it, as the OpenAI API has them."""

import json

TOOLS = [
    {
        "type": "function",
        "function": {
            "name": "weather",
            "description": "Say the weather.",
            "parameters": {"type": "object", "properties": {"place": {"type": "string"}}, "required": ["place"]},
        },
    }
]
_CALL = {"id": "c1", "type": "function", "function": {"name": "weather", "arguments": '{"place": "Lucca"}'}}
CALLED = json.dumps(
    {
        "id": "x",
        "object": "chat.completion",
        "created": 0,
        "model": "fake-chat",
        "choices": [
            {
                "index": 0,
                "message": {"role": "assistant", "content": None, "tool_calls": [_CALL]},
                "finish_reason": "tool_calls",
            }
        ],
        "usage": {"prompt_tokens": 9, "completion_tokens": 5, "total_tokens": 14},
    }
).encode()
