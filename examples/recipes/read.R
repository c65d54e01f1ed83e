# The mean of a released column, with what the noise and the sample leave open: Rscript read.R released.csv visits
given <- commandArgs(trailingOnly = TRUE)
data <- read.csv(given[1], check.names = FALSE)
# An empty cell is a value that was missing. A negative one is noise: leave it in.
values <- data[[given[2]]]
values <- values[!is.na(values)]
error <- sd(values) / sqrt(length(values))
cat(sprintf("%d values, mean %.3f ± %.3f\n", length(values), mean(values), 1.96 * error))
