package io.lambdafs.cluster.terminal;

import picocli.CommandLine.IVersionProvider;

/** The version of this build, from its jar's manifest. */
public final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
        return new String[] {"lambdafs " + own(), "Java " + Runtime.version()};
    }

    /** Returns the version alone. */
    public static String own() {
        String version = Version.class.getPackage().getImplementationVersion();
        return version == null ? "(development)" : version;
    }
}
