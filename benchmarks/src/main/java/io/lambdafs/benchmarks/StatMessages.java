package io.lambdafs.benchmarks;

import io.lambdafs.model.FsPath;
import io.lambdafs.model.inode.Attributes;
import io.lambdafs.model.inode.INode;
import io.lambdafs.model.operation.ReadOperation;
import io.lambdafs.model.operation.Reply;
import io.lambdafs.model.operation.RequestId;
import io.lambdafs.rpc.message.Message;
import io.lambdafs.rpc.message.OperationReply;
import io.lambdafs.rpc.message.OperationRequest;

/** The request and the reply of a stat. Stateless. */
final class StatMessages {
    static final Message REQUEST = new OperationRequest(
            1,
            new RequestId(0x123456789abcdefL, 0xfedcba987654321L, 17, 12_345),
            1,
            1_700_000_000_000L,
            new ReadOperation.Stat(FsPath.of("/spotify0/playlist/country1/day00042/hour0017/part0099")));
    static final Message REPLY = new OperationReply(
            2,
            7,
            true,
            new Reply.Status(new Attributes(
                    "part0099",
                    1_234_567,
                    new INode.Traits(INode.Kind.FILE, "alice", "users", 0644, 3, 128L << 20, INode.Content.NONE),
                    0,
                    1_700_000_000_000L,
                    1_700_000_000_000L,
                    0)));

    private StatMessages() {}
}
