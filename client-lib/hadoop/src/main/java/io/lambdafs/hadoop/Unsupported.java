package io.lambdafs.hadoop;

import org.apache.hadoop.fs.Path;

/** The reasons why λFS does not support some of Hadoop's calls. Stateless. */
final class Unsupported {
    private Unsupported() {}

    static UnsupportedOperationException link(Path path) {
        return new UnsupportedOperationException("λFS has no symbolic links: " + path
                + " would have to be resolved anew whenever what it names changes");
    }
}
