package io.lambdafs.deploy.aws.lambda;

import io.lambdafs.deploy.Change;
import io.lambdafs.deploy.DeployFailure;
import io.lambdafs.deploy.FunctionsSpec;
import io.lambdafs.deploy.Problem;
import io.lambdafs.deploy.Undo;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.lambda.LambdaClient;
import software.amazon.awssdk.services.lambda.model.AliasConfiguration;
import software.amazon.awssdk.services.lambda.model.FunctionConfiguration;
import software.amazon.awssdk.services.lambda.model.GetFunctionResponse;
import software.amazon.awssdk.services.lambda.model.InvalidParameterValueException;
import software.amazon.awssdk.services.lambda.model.LambdaException;
import software.amazon.awssdk.services.lambda.model.ResourceNotFoundException;

/**
 * Manages functions with their code, configuration, published versions, the alias that clients call, and concurrency.
 * The alias moves last, so that clients call the version before until the new one is complete. Confined to one thread,
 * which it blocks.
 */
final class Functions {
    private static final String FUNCTION = "function";
    private static final int NOT_FOUND = 404;
    /** Attempts with a new role, which is not known everywhere at once. */
    private static final int ROLE_TRIES = 15;

    private static final long ROLE_PAUSE_MILLIS = 2_000;

    private final LambdaClient lambda;

    Functions(LambdaClient lambda) {
        this.lambda = lambda;
    }

    Optional<GetFunctionResponse> find(String name) {
        try {
            return Optional.of(lambda.getFunction(asked -> asked.functionName(name)));
        } catch (ResourceNotFoundException none) {
            return Optional.empty();
        }
    }

    /** Returns the names of functions that match a cluster's naming, in the order of their numbers. */
    List<String> names(String cluster) {
        return FunctionsSpec.functions(
                cluster,
                lambda.listFunctionsPaginator(asked -> {}).functions().stream()
                        .map(FunctionConfiguration::functionName));
    }

    static boolean isOf(String cluster, GetFunctionResponse found) {
        return cluster.equals(found.tags().get(FunctionSpec.CLUSTER_TAG));
    }

    /** Creates or updates a function to match its specification. */
    Change put(FunctionSpec spec, boolean dryRun, Undo undo) {
        Optional<GetFunctionResponse> found = find(spec.name());
        if (found.isEmpty()) {
            if (!dryRun) {
                create(spec);
                undo.add(() -> delete(spec.name()));
                release(spec);
            }
            return change(Change.Kind.CREATED, spec);
        }
        FunctionConfiguration before = found.get().configuration();
        String image = found.get().code() == null || found.get().code().imageUri() == null
                ? ""
                : found.get().code().imageUri();
        boolean code = spec.hasCode(before, image);
        boolean configuration = spec.hasConfiguration(before);
        if (code && configuration && isReleased(spec)) {
            return change(Change.Kind.UNCHANGED, spec);
        }
        if (!dryRun) {
            if (!configuration) {
                lambda.updateFunctionConfiguration(spec.newConfiguration());
                awaitUpdate(spec.name());
            }
            if (!code) {
                lambda.updateFunctionCode(spec.newCode());
                awaitUpdate(spec.name());
            }
            release(spec);
        }
        return change(Change.Kind.UPDATED, spec);
    }

    private void create(FunctionSpec spec) {
        for (int attempt = 1; ; attempt++) {
            try {
                lambda.createFunction(spec.creation());
                return;
            } catch (InvalidParameterValueException refused) {
                boolean isUnknown = String.valueOf(refused.getMessage()).contains("cannot be assumed");
                if (!isUnknown || attempt == ROLE_TRIES) {
                    throw refused;
                }
            }
            try {
                TimeUnit.MILLISECONDS.sleep(ROLE_PAUSE_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new DeployFailure(
                        Problem.Code.PLATFORM_FAILED, "interrupted while " + spec.name() + " was made", e);
            }
        }
    }

    private static Change change(Change.Kind kind, FunctionSpec spec) {
        return new Change(kind, FUNCTION, spec.name(), spec.manifest());
    }

    private void awaitUpdate(String name) {
        lambda.waiter().waitUntilFunctionUpdatedV2(asked -> asked.functionName(name));
    }

    /** Sets concurrency, publishes the current state as a version, and moves the alias to it. */
    private void release(FunctionSpec spec) {
        lambda.waiter().waitUntilFunctionActiveV2(asked -> asked.functionName(spec.name()));
        int reserved = spec.options().reserved();
        if (reserved > 0) {
            lambda.putFunctionConcurrency(
                    asked -> asked.functionName(spec.name()).reservedConcurrentExecutions(reserved));
        } else {
            lambda.deleteFunctionConcurrency(asked -> asked.functionName(spec.name()));
        }
        // Asynchronous calls are not retried: clients retry themselves.
        lambda.putFunctionEventInvokeConfig(
                asked -> asked.functionName(spec.name()).maximumRetryAttempts(0).maximumEventAgeInSeconds(60));
        String version =
                lambda.publishVersion(asked -> asked.functionName(spec.name())).version();
        lambda.waiter()
                .waitUntilFunctionActiveV2(
                        asked -> asked.functionName(spec.name()).qualifier(version));
        String alias = spec.options().alias();
        if (alias(spec) == null) {
            lambda.createAlias(
                    asked -> asked.functionName(spec.name()).name(alias).functionVersion(version));
        } else {
            lambda.updateAlias(
                    asked -> asked.functionName(spec.name()).name(alias).functionVersion(version));
        }
        int provisioned = spec.options().provisioned();
        if (provisioned > 0) {
            lambda.putProvisionedConcurrencyConfig(asked ->
                    asked.functionName(spec.name()).qualifier(alias).provisionedConcurrentExecutions(provisioned));
        } else if (provisioned(spec) > 0) {
            lambda.deleteProvisionedConcurrencyConfig(
                    asked -> asked.functionName(spec.name()).qualifier(alias));
        }
        dropOldVersions(spec.name(), version);
    }

    /** Drops old versions; the one before the current stays for running calls. */
    private void dropOldVersions(String name, String current) {
        List<Integer> versions =
                lambda.listVersionsByFunctionPaginator(asked -> asked.functionName(name)).versions().stream()
                        .map(FunctionConfiguration::version)
                        .filter(each -> each.matches("[0-9]+") && !each.equals(current))
                        .map(Integer::valueOf)
                        .sorted()
                        .toList();
        for (int old : versions.subList(0, Math.max(0, versions.size() - 1))) {
            lambda.deleteFunction(asked -> asked.functionName(name).qualifier(Integer.toString(old)));
        }
    }

    private @Nullable AliasConfiguration alias(FunctionSpec spec) {
        return lambda.listAliasesPaginator(asked -> asked.functionName(spec.name())).aliases().stream()
                .filter(each -> each.name().equals(spec.options().alias()))
                .findFirst()
                .orElse(null);
    }

    private int provisioned(FunctionSpec spec) {
        try {
            Integer asked = lambda.getProvisionedConcurrencyConfig(request -> request.functionName(spec.name())
                            .qualifier(spec.options().alias()))
                    .requestedProvisionedConcurrentExecutions();
            return asked == null ? 0 : asked;
        } catch (LambdaException none) {
            if (none.statusCode() == NOT_FOUND) {
                return 0;
            }
            throw none;
        }
    }

    private boolean isReleased(FunctionSpec spec) {
        AliasConfiguration alias = alias(spec);
        if (alias == null) {
            return false;
        }
        Integer reserved = lambda.getFunctionConcurrency(asked -> asked.functionName(spec.name()))
                .reservedConcurrentExecutions();
        FunctionConfiguration released = lambda.getFunction(
                        asked -> asked.functionName(spec.name()).qualifier(alias.functionVersion()))
                .configuration();
        return (reserved == null ? 0 : reserved) == spec.options().reserved()
                && provisioned(spec) == spec.options().provisioned()
                && (spec.zip() == null || spec.codeSha256().equals(released.codeSha256()))
                && spec.hasConfiguration(released);
    }

    /** Deletes a function with all its versions and aliases. */
    void delete(String name) {
        lambda.deleteFunction(asked -> asked.functionName(name));
    }
}
