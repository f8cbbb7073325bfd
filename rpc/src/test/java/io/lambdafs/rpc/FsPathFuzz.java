package io.lambdafs.rpc;

import io.lambdafs.model.FsException;
import io.lambdafs.model.FsPath;
import io.lambdafs.rpc.fuzz.Finding;
import io.lambdafs.rpc.fuzz.Promise;
import java.nio.charset.StandardCharsets;

/** Paths as users and frames give them; every other input is taken for UTF-16, so that half characters come too. */
public final class FsPathFuzz {
    private FsPathFuzz() {}

    public static void fuzzerTestOneInput(byte[] input) {
        boolean wide = input.length > 0 && input[0] < 0;
        check(wide ? wide(input) : new String(input, StandardCharsets.UTF_8));
    }

    private static String wide(byte[] input) {
        StringBuilder text = new StringBuilder("/");
        for (int i = 1; i + 1 < input.length; i += 2) {
            text.append((char) (input[i] << 8 | (input[i + 1] & 0xff)));
        }
        return text.toString();
    }

    private static void check(String text) {
        FsPath path;
        try {
            path = FsPath.of(text);
        } catch (FsException refusal) {
            Promise.refused(refusal);
            return;
        }
        FsPath again = FsPath.ROOT;
        for (String name : path.names()) {
            again = again.child(name);
        }
        boolean same = FsPath.of(path.toString()).equals(path) && again.equals(path);
        if (!same
                || !path.isAtOrBelow(path.parent())
                || !path.ancestor(path.depth()).equals(path)) {
            throw new Finding("not normalised: " + path);
        }
        if (path.toString().getBytes(StandardCharsets.UTF_8).length > FsPath.MAX_PATH_BYTES) {
            throw new Finding("too long: " + path);
        }
    }
}
