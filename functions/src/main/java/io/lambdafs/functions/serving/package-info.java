/**
 * What every platform's function entry shares: connections dialled back to clients (the paper's §3.2), admission by the CPU share
 * that the platform grants an instance, and the meter of billed time (§5.2.5). Nothing here knows a platform; the NameNode is
 * behind {@link io.lambdafs.functions.serving.RequestExecutor}.
 */
@NullMarked
package io.lambdafs.functions.serving;

import org.jspecify.annotations.NullMarked;
