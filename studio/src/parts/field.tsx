// A question with its answer: label, what it means, and what is wrong with it, tied together for whoever cannot see them together.

import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { decimal } from '../route.js';

interface Asked {
  /** The option of the command that this is. */
  readonly option: string;
  readonly label: ComponentChildren;
  readonly hint?: ComponentChildren;
  readonly error?: string | null | undefined;
  /** Of several with the same option. */
  readonly column?: string;
}

interface Wrapped extends Asked {
  readonly children: (ids: { id: string; describedBy: string; invalid: boolean }) => ComponentChildren;
}

function Wrapper({ label, hint, error, children }: Wrapped) {
  const id = useId();
  const described = [hint ? `${id}-hint` : '', error ? `${id}-error` : ''].filter(Boolean).join(' ');
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children({ id, describedBy: described, invalid: Boolean(error) })}
      {hint ? (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      ) : null}
      <p class="error" id={`${id}-error`} role="alert">
        {error ?? ''}
      </p>
    </div>
  );
}

export interface TextProps extends Asked {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly numeric?: boolean;
  readonly placeholder?: string;
  readonly list?: readonly string[];
  readonly disabled?: boolean;
}

/** One line of text, or a number with a point or a comma. */
export function TextField({ value, onChange, numeric, placeholder, list, disabled, ...asked }: TextProps) {
  const listId = useId();
  return (
    <Wrapper {...asked}>
      {({ id, describedBy, invalid }) => (
        <>
          <input
            id={id}
            type="text"
            inputMode={numeric ? 'decimal' : 'text'}
            class={numeric ? 'short' : ''}
            data-field={asked.option}
            data-column={asked.column}
            value={value}
            placeholder={placeholder}
            disabled={disabled}
            list={list ? listId : undefined}
            autocomplete="off"
            spellcheck={false}
            aria-describedby={describedBy || undefined}
            aria-invalid={invalid}
            onInput={({ currentTarget }) =>
              onChange(numeric ? decimal(currentTarget.value) : currentTarget.value)
            }
          />
          {list ? (
            <datalist id={listId}>
              {list.map((item) => (
                <option key={item} value={item} />
              ))}
            </datalist>
          ) : null}
        </>
      )}
    </Wrapper>
  );
}

export interface SelectProps extends Asked {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly options: readonly (readonly [value: string, label: string])[];
}

/** One of several. */
export function SelectField({ value, onChange, options, ...asked }: SelectProps) {
  return (
    <Wrapper {...asked}>
      {({ id, describedBy, invalid }) => (
        <select
          id={id}
          data-field={asked.option}
          data-column={asked.column}
          value={value}
          aria-describedby={describedBy || undefined}
          aria-invalid={invalid}
          onChange={({ currentTarget }) => onChange(currentTarget.value)}
        >
          {options.map(([key, label]) => (
            <option key={key} value={key} selected={key === value}>
              {label}
            </option>
          ))}
        </select>
      )}
    </Wrapper>
  );
}

export interface CheckProps {
  readonly option: string;
  readonly label: ComponentChildren;
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
  readonly value?: string;
  readonly disabled?: boolean;
  readonly hint?: ComponentChildren;
}

/** Yes or no. */
export function CheckField({ option, label, checked, onChange, value, disabled, hint }: CheckProps) {
  const id = useId();
  return (
    <div class="check">
      <input
        id={id}
        type="checkbox"
        data-field={option}
        data-value={value}
        checked={checked}
        disabled={disabled}
        aria-describedby={hint ? `${id}-hint` : undefined}
        onChange={({ currentTarget }) => onChange(currentTarget.checked)}
      />
      <label for={id}>{label}</label>
      {hint ? (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      ) : null}
    </div>
  );
}

export interface SliderProps extends Asked {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly low: number;
  readonly high: number;
  /** What the place stands for, for whoever hears it. */
  readonly told: string;
  /** Whole numbers alone. */
  readonly whole?: boolean;
  /** Multiples of this alone. */
  readonly grain?: number | undefined;
}

const NOTCHES = 200;

/** A number by hand or by a slider; the slider moves by factors, so that small ones are as far apart as large ones. */
export function SliderField({ value, onChange, low, high, told, whole, grain, ...asked }: SliderProps) {
  const at = Number(value);
  const place =
    Number.isFinite(at) && at > 0
      ? Math.round((NOTCHES * Math.log(at / low)) / Math.log(high / low))
      : NOTCHES / 2;
  const move = (notch: number) => {
    const exact = low * (high / low) ** (notch / NOTCHES);
    // Two digits where nothing else is said.
    const unit = whole ? 1 : (grain ?? 10 ** (Math.floor(Math.log10(exact)) - 1));
    const written = (times: number) => Number((Math.max(1, times) * unit).toPrecision(12));
    const near = Math.round(exact / unit);
    // A key moves it in any case.
    onChange(String(written(near) === at ? written(near + Math.sign(notch - place)) : written(near)));
  };
  return (
    <Wrapper {...asked}>
      {({ id, describedBy, invalid }) => (
        <div class="slider">
          <input
            id={id}
            type="text"
            inputMode="decimal"
            class="short"
            data-field={asked.option}
            data-column={asked.column}
            value={value}
            autocomplete="off"
            aria-describedby={describedBy || undefined}
            aria-invalid={invalid}
            onInput={({ currentTarget }) => onChange(decimal(currentTarget.value))}
          />
          <input
            type="range"
            min={0}
            max={NOTCHES}
            value={Math.min(NOTCHES, Math.max(0, place))}
            aria-label={`${asked.option}, by a slider`}
            aria-valuetext={told}
            onInput={({ currentTarget }) => move(Number(currentTarget.value))}
          />
        </div>
      )}
    </Wrapper>
  );
}
