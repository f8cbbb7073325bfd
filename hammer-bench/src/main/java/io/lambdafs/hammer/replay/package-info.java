/** The replay of a workload: operations start when due, and what they find is compared with the plan. */
@NullMarked
package io.lambdafs.hammer.replay;

import org.jspecify.annotations.NullMarked;
