package io.lambdafs.cluster.options;

import picocli.CommandLine.Option;

/** {@code --json}. */
public final class JsonOption {
    @Option(names = "--json", description = "Print one JSON object.")
    private boolean json;

    public boolean wanted() {
        return json;
    }
}
