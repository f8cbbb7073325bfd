package io.lambdafs.benchmarks.roundtrip;

import io.lambdafs.model.Attributes;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.ReadOperation;
import io.lambdafs.model.Reply;
import io.lambdafs.model.RequestId;
import io.lambdafs.rpc.Message;
import io.lambdafs.rpc.OperationReply;
import io.lambdafs.rpc.OperationRequest;
import io.lambdafs.rpc.RpcMessages;
import io.lambdafs.rpc.WireWriter;
import io.lambdafs.rpc.framing.Frame;

/**
 * The sizes of a request and its reply. Immutable.
 *
 * @param request bytes to the server
 * @param reply bytes back
 */
record Exchange(int request, int reply) {
    /** Returns the sizes of a stat. */
    static Exchange ofStat(FsPath path, Attributes found) {
        RequestId id = new RequestId(0x123456789abcdefL, 0xfedcba987654321L, 1, 12_345);
        long deadline = System.currentTimeMillis();
        return new Exchange(
                Frame.BODY_AT + length(new OperationRequest(1, id, 1, deadline, new ReadOperation.Stat(path))),
                Frame.BODY_AT + length(new OperationReply(1, 1, true, new Reply.Status(found))));
    }

    private static int length(Message message) {
        WireWriter out = new WireWriter();
        RpcMessages.codec().write(out, message);
        return out.toByteArray().length;
    }
}
