package io.lambdafs.systemtests.violations.client;

import io.lambdafs.rpc.message.Codec;

/** Breaks the rule that what users of the client see names nothing internal. */
public final class SurfaceThatShowsAnInternal {
    /** Names a type that no user is to know. */
    public Codec codec() {
        return Codec.builder().build();
    }
}
