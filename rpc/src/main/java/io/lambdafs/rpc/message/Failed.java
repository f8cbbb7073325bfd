package io.lambdafs.rpc.message;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.operation.Reply;

/** The failure of a request other than an operation. */
public record Failed(ErrorCode code, String message) implements Message {
    public FsException toException() {
        return new FsException(code, message);
    }

    public static Failed of(Throwable thrown) {
        Reply.Failure failure = Reply.Failure.of(thrown);
        return new Failed(failure.code(), failure.message());
    }
}
