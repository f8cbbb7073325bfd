package io.lambdafs.cli;

import io.lambdafs.cluster.options.DirectoryOption;
import io.lambdafs.cluster.terminal.CommandFailure;
import io.lambdafs.cluster.terminal.Console;
import io.lambdafs.cluster.terminal.ExitCode;
import io.lambdafs.cluster.terminal.Version;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import java.io.IOException;
import java.util.Arrays;
import java.util.concurrent.Callable;
import org.apache.hadoop.fs.BlockStoragePolicySpi;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code lambdafs storagepolicies}: the options of {@code hdfs storagepolicies}. */
@Command(
        name = "storagepolicies",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        sortOptions = false,
        description = {
            "Show or set the block store of a directory's files.",
            "Takes the options of \"hdfs storagepolicies\". A policy sends blocks to the block store of the "
                    + "same name (cluster start --blocks NAME=PLACE; case does not matter), or to the unnamed one if no "
                    + "datanode serves that name. A path without a policy inherits that of the nearest directory above, "
                    + "else HOT. Existing blocks stay where they are; lambdafs blocks move moves them."
        })
public final class StoragePoliciesCommand implements Callable<Integer> {
    private final Console console;

    @Mixin
    private DirectoryOption directory = new DirectoryOption();

    @ArgGroup(multiplicity = "1")
    private What what = new What();

    @Option(names = "-path", paramLabel = "PATH", description = "File or directory.")
    private @Nullable String path;

    @Option(names = "-policy", paramLabel = "NAME", description = "Policy to set.")
    private @Nullable String policy;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    /** The requested action. */
    static final class What {
        @Option(names = "-listPolicies", description = "List all policies.")
        private boolean list;

        @Option(names = "-getStoragePolicy", description = "Show the policy in effect for -path.")
        private boolean get;

        @Option(names = "-setStoragePolicy", description = "Set the policy of -path to -policy.")
        private boolean set;

        @Option(names = "-unsetStoragePolicy", description = "Remove -path's own policy.")
        private boolean unset;
    }

    StoragePoliciesCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() {
        try {
            FileSystem fs = FileSystem.get(FsCommand.configuration(directory.find()));
            if (what.list) {
                list(fs);
            } else {
                ofPath(fs, needed("-path", path));
            }
        } catch (IOException e) {
            throw e.getCause() instanceof FsException typed
                    ? CommandFailure.of(typed)
                    : new CommandFailure(ExitCode.FAILED, ErrorCode.INTERNAL, String.valueOf(e.getMessage()));
        }
        return ExitCode.OK.number();
    }

    private void list(FileSystem fs) throws IOException {
        console.print("Block Storage Policies:");
        for (BlockStoragePolicySpi each : fs.getAllStoragePolicies()) {
            console.print("\t" + text(each));
        }
    }

    private void ofPath(FileSystem fs, String name) throws IOException {
        Path target = new Path(name);
        if (what.get) {
            console.print("The storage policy of " + name + ":");
            console.print(text(fs.getStoragePolicy(target)));
        } else if (what.set) {
            String wanted = needed("-policy", policy);
            fs.setStoragePolicy(target, wanted);
            console.print("Set storage policy " + wanted + " on " + name);
        } else if (what.unset) {
            fs.unsetStoragePolicy(target);
            console.print("Unset storage policy from " + name);
        }
    }

    private String needed(String option, @Nullable String value) {
        if (value == null) {
            throw new ParameterException(spec.commandLine(), "storagepolicies: " + option + " is missing");
        }
        return value;
    }

    private static String text(BlockStoragePolicySpi policy) {
        return "BlockStoragePolicy{" + policy.getName() + ", storageTypes=" + Arrays.toString(policy.getStorageTypes())
                + "}";
    }
}
