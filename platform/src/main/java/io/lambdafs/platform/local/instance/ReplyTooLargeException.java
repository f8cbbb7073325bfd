package io.lambdafs.platform.local.instance;

import java.io.IOException;

/** An instance's reply exceeds the protocol's limit. */
public final class ReplyTooLargeException extends IOException {
    private static final long serialVersionUID = 1L;

    public ReplyTooLargeException(int maxBytes) {
        super("The action produced a response that exceeded the allowed length: > " + maxBytes + " bytes.");
    }
}
